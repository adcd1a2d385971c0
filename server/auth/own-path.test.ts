// Tests that a requested target after sign-in never leaves this origin.
import fc from "fast-check";
import { expect, it } from "vitest";
import { ownPath } from "./own-path";

const ORIGIN = "https://pay.example.com";

it.each(["/dashboard", "/test/payouts?queue=mine", "/live/topups?status=failed", "/"])("keeps %s", (path) =>
  expect(ownPath(path)).toBe(path),
);

it.each([
  undefined,
  "",
  "dashboard",
  "//evil.example/",
  "/\\evil.example/",
  "/\t/evil.example/",
  "/.//evil.example/",
  "/a/..//evil.example/",
  "/%2e//evil.example/",
  "https://evil.example/",
  "javascript:alert(1)",
  "http://self.invalid/x",
  "//[",
])("rejects %j", (next) => expect(ownPath(next)).toBeNull());

it("no redirect leads to another site, wherever a browser ignores or rewrites a character", () => {
  const pieces = fc.constantFrom(
    "/",
    "\\",
    "\t",
    "\r",
    "\n",
    "\0",
    " ",
    ".",
    "..",
    "%2e",
    "@",
    ":",
    "?",
    "#",
    "evil.example",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (rest) => {
      const path = ownPath(`/${rest.join("")}`) ?? "/";
      expect(new URL(path, ORIGIN).href).toBe(ORIGIN + path);
    }),
    { numRuns: 5_000 },
  );
});

it("a control character or backslash in any position of //evil.example cannot hide it", () => {
  for (const hidden of ["\t", "\r", "\n", "\\", "\0", "\u001f"]) {
    for (let position = 0; position <= "//evil.example/".length; position += 1) {
      const next = `//evil.example/`.slice(0, position) + hidden + "//evil.example/".slice(position);
      expect(ownPath(next)).toBeNull();
    }
  }
});
