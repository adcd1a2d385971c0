// Tests the bounds of what runs at once.
import { expect, it } from "vitest";
import { createSessionPlaces } from "./session-places";

/** A session of the first cell, and one of the cell e2. */
const session = (n: number) => `ses_01h455vb4pex5vsknk084sn02${n}`;
const sessionOfE2 = (n: number) => `ses_01h455vb4pge2vsknk084sn02${n}`;

it("bounds what one session and one process do at once, and gives places back once", () => {
  const places = createSessionPlaces({ perSession: 2, perCell: 3, refusal: "full" });
  const first = places.take(session(1));
  places.take(session(1));
  expect(() => places.requireFree(session(1))).toThrow("full");
  const other = places.take(session(2));
  expect(() => places.requireFree(session(3))).toThrow("full");
  other();
  other();
  places.requireFree(session(3));
  places.take(session(3));
  expect(() => places.requireFree(session(2))).toThrow("full");
  first();
  places.requireFree(session(1));
});

it("bounds each cell by itself: one whose work hangs takes no place of another", () => {
  const places = createSessionPlaces({ perSession: 2, perCell: 2, refusal: "full" });
  const held = places.take(sessionOfE2(1));
  places.take(sessionOfE2(2));
  expect(() => places.requireFree(sessionOfE2(3))).toThrow("full");
  places.requireFree(session(1));
  held();
  places.requireFree(sessionOfE2(3));
});
