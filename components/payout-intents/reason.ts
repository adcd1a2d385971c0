// Owns the length of a cancellation's reason, counted as the interface counts (interface §4.3, §8).

export const LONGEST_REASON = 512;

/** Length in Unicode code points. */
export function codePointsOf(text: string): number {
  return Array.from(text).length;
}
