// Cases of cursors: altered at every position, truncated, foreign, or invented.
import { invalid } from "../oracle";
import { encodeParameter, KINDS, LISTS, type ListKind } from "../oracle-query";
import type { BadInput } from "../table";

/** Shorter than any issued cursor: a changed or missing character within these is within the cursor. */
const WITHIN = 96;

function cursorCase(kind: ListKind, what: string, cursor: string, more: Partial<BadInput> = {}): BadInput {
  const path = `${LISTS[kind]}?cursor=${encodeParameter(cursor)}`;
  return { name: `${kind} list: ${what}`, method: "GET", path, ...more, expect: invalid("cursor") };
}

const NEVER_OURS: Readonly<Record<string, string>> = {
  empty: "",
  "a space": " ",
  "a word": "abc",
  zero: "0",
  "a page number": "2",
  "a negative number": "-1",
  null: "null",
  undefined: "undefined",
  "an id": "{{payment_id}}",
  "a timestamp": "2026-01-01T00:00:00.000Z",
  JSON: '{"created_at":"2026-01-01T00:00:00.000Z"}',
  "JSON in base64": "{{base64:[1]}}",
  "a position without a proof": "{{base64:1763715600000.dord_01h455vb4pex5vsknk084sn02q}}",
  "a position with an empty proof": "{{base64:1763715600000.dord_01h455vb4pex5vsknk084sn02q.}}",
  "a position with a made-up proof":
    "{{base64:1763715600000.dord_01h455vb4pex5vsknk084sn02q.00000000000000000000000000000000}}",
  "three dots": "{{base64:...}}",
  "dots in plain": "...",
  "a NUL": "\0",
  "a line feed": "\n",
  "an SQL condition": "' OR '1'='1",
  "base64 padding alone": "====",
  "not base64": "!!!!",
  "an emoji": "\u{1f600}",
  "512 characters": "{{repeat:512:A}}",
  "513 characters": "{{repeat:513:A}}",
  "3,000 characters": "{{repeat:3000:A}}",
  "a way up": "../../etc/passwd",
};

function altered(kind: ListKind): BadInput[] {
  const own = `{{${kind}_cursor}}`;
  const forms: Readonly<Record<string, string>> = {
    "its own with padding": `${own}=`,
    "its own with two paddings": `${own}==`,
    "its own and more": `${own}A`,
    "its own after a space": ` ${own}`,
    "its own and a space": `${own} `,
    "its own and a line feed": `${own}\n`,
    "its own in quotes": `"${own}"`,
    "its own twice": `${own}${own}`,
    "its own reversed": `{{reverse:${own}}}`,
    "its own in capitals": `{{upper:${own}}}`,
    "its own in small letters": `{{lower:${own}}}`,
    "its own encoded again": `{{base64:${own}}}`,
  };
  const others = KINDS.filter((other) => other !== kind);
  return [
    ...Object.entries({ ...NEVER_OURS, ...forms }).map(([what, cursor]) => cursorCase(kind, what, cursor)),
    ...others.map((other) => cursorCase(kind, `the cursor of another list, ${other}`, `{{${other}_cursor}}`)),
    cursorCase(kind, "another merchant's", `{{stranger_${kind}_cursor}}`),
    cursorCase(kind, "the other environment's", own, { headers: { authorization: "{{live_auth}}" } }),
    cursorCase(kind, "ours, sent by another merchant", own, { headers: { authorization: "{{stranger_auth}}" } }),
    {
      name: `${kind} list: the cursor twice`,
      method: "GET",
      path: `${LISTS[kind]}?cursor=${own}&cursor=${own}`,
      expect: invalid("cursor"),
    },
  ];
}

export function cursorCases(): BadInput[] {
  const positions = Array.from({ length: WITHIN }, (_, index) => index);
  return [
    ...KINDS.flatMap(altered),
    ...positions.map((index) => {
      const kind = KINDS[index % KINDS.length] ?? "payment";
      return cursorCase(kind, `its own with another character at ${index}`, `{{flip:${index}:{{${kind}_cursor}}}}`);
    }),
    ...positions
      .filter((index) => index % 4 === 0)
      .map((index) => {
        const kind = KINDS[(index / 4) % KINDS.length] ?? "payment";
        return cursorCase(kind, `its own cut off after ${index}`, `{{cut:${index}:{{${kind}_cursor}}}}`);
      }),
  ];
}
