/** Loops that no scenario plays, and why. */
export const LOOPS_NOT_PLAYED: Readonly<Record<string, string>> = {
  "old sessions": "one DELETE, like old notices",
  "new notifications": "one INSERT per type, of what is not there yet; each notification that is sent was found by it",
  "old notifications": "one DELETE, like old notices",
};
