// What members are called. Two members may have the same name, so a name never identifies anybody.

/** In code points, after normalization. */
export const LONGEST_NAME = 64;

/**
 * Letters, digits and accents of any script, spaces, and the marks inside names. No @, brackets or commas, so that no name
 * looks like an address or like several people.
 */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} .'’·-]*$/u;
/** Invisible letters and joiners, such as the Hangul filler, which would make two different names look the same. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** More marks on one letter than scripts need, which would cover the lines around it. */
const STACKED_MARKS = /\p{M}{5,}/u;

export const NAME_RULE =
  "must have at most 64 letters, digits, spaces and . ' - characters, and begin with a letter or digit";

/** Returns the name with usual characters and single spaces, or null if it may not be a name. */
export function readName(typed: string): string | null {
  const name = typed.normalize("NFKC").trim().replaceAll(/ +/g, " ");
  const isName = NAME.test(name) && !INVISIBLE.test(name) && !STACKED_MARKS.test(name);
  return isName && [...name].length <= LONGEST_NAME ? name : null;
}
