// The length of a cancellation's reason, counted as in interface §4.3, §8.

export const LONGEST_REASON = 512;

/** Length in Unicode code points. */
export function codePointsOf(text: string): number {
  return Array.from(text).length;
}
