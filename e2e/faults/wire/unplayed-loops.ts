/** Loops that no scenario plays, and why. */
export const LOOPS_NOT_PLAYED: Readonly<Record<string, string>> = {
  "old sessions": "one DELETE, like old notices",
  "directory of people": "nothing with one cell; one INSERT of what is missing, repeated at each pass",
  "moved merchants":
    "nothing with one cell; statements that close, open or note one merchant each, which another worker repeats",
  "triggers of ended moves": "nothing with one cell; statements that each remove some, which another worker repeats",
  "abandoned moves": "nothing with one cell; one statement, which another worker repeats",
  "new notifications": "one INSERT per type, of what is not there yet; each notification that is sent was found by it",
  "old notifications": "one DELETE, like old notices",
};
