import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SluiceError } from "../errors.js";
import { catchUp, type Window } from "./catch-up.js";
import type { Place } from "./follower.js";

interface Item {
  readonly id: string;
  readonly time: number;
}

const NOW = Date.parse("2026-11-26T12:00:00Z");
const YEAR_MS = 365 * 86_400_000;
const MINUTE_MS = 60_000;
const timeOf = ({ time }: Item) => time;

/** A service with these items, which counts what it was asked. */
function service(list: readonly Item[]) {
  const asked = { windows: 0, largest: 0 };
  const readWindow = async ({ from, until }: Window, most: number) => {
    asked.windows += 1;
    const items = list.filter(({ time }) => time >= from && time < until).toReversed();
    if (items.length > most) return null;
    asked.largest = Math.max(asked.largest, items.length);
    return items;
  };
  const newest = list.reduce<Item | null>((last, item) => (last && last.time >= item.time ? last : item), null);
  return { asked, earlier: { timeOf, readNewest: async () => newest, readWindow } };
}

/** Runs it to its end, or until the signal; returns what it yielded, the place that is left, and what it said. */
async function caughtUp(
  earlier: Parameters<typeof catchUp<Item>>[1],
  begin: Place,
  { most = Number.POSITIVE_INFINITY } = {},
) {
  const abort = new AbortController();
  const said: string[] = [];
  const items: Item[] = [];
  const run = catchUp<Item>({ signal: abort.signal, say: (text) => said.push(text) }, earlier, begin);
  for (;;) {
    const { done, value } = await run.next();
    if (done) return { items, place: value, said };
    items.push(value);
    if (items.length >= most) abort.abort();
  }
}

describe("catching up", () => {
  it("reads 20,000 items of a year in windows of at most 1,000, the oldest first", async () => {
    const list = Array.from({ length: 20_000 }, (_, n) => ({
      id: `e${String(n).padStart(5, "0")}`,
      // Ten quiet months, then busy ones.
      time: NOW - (n < 100 ? YEAR_MS - n * MINUTE_MS : (20_000 - n) * 2_000),
    }));
    const { asked, earlier } = service(list);
    const { items, place } = await caughtUp(earlier, { time: NOW - YEAR_MS, id: "" });
    expect(items).toEqual(list.filter(({ time }) => time <= place.time));
    expect(list.length - items.length).toBeLessThan(45);
    expect(asked.largest).toBeLessThanOrEqual(1_000);
    expect(asked.windows).toBeLessThan(200);
  });

  it("leaves nothing out and repeats nothing, also with many items of one moment, from any place", async () => {
    const times = fc.array(
      fc.record({ back: fc.integer({ min: 0, max: 10 * MINUTE_MS }), count: fc.constantFrom(1, 1, 2, 1_200) }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(times, fc.nat(), async (groups, start) => {
        const list = groups
          .flatMap(({ back, count }, group) =>
            Array.from({ length: count }, (_, n) => ({
              id: `e${group}-${String(n).padStart(4, "0")}`,
              time: NOW - back,
            })),
          )
          .sort((one, other) => one.time - other.time || (one.id < other.id ? -1 : 1));
        const begin = list[start % Math.max(1, list.length)] ?? { id: "", time: NOW - YEAR_MS };
        const { items, place } = await caughtUp(service(list).earlier, begin);
        const isAfter = (one: Place, other: Place) =>
          one.time > other.time || (one.time === other.time && one.id > other.id);
        expect(items).toEqual(list.filter((one) => isAfter(one, begin) && !isAfter(one, place)));
      }),
      { numRuns: 200 },
    );
  });

  it("leaves an idle list, and the last minute of a busy one, to the follower", async () => {
    const begin = { time: NOW - MINUTE_MS, id: "" };
    expect(await caughtUp(service([]).earlier, begin)).toMatchObject({ items: [], place: begin });
    const recent = [{ id: "a", time: NOW }];
    expect(await caughtUp(service(recent).earlier, begin)).toMatchObject({ items: [], place: begin });
  });

  it("outlasts a service that does not answer, and ends with the signal", async () => {
    const list = Array.from({ length: 50 }, (_, n) => ({ id: `e${n + 10}`, time: NOW - YEAR_MS + n }));
    const { earlier } = service([...list, { id: "z", time: NOW }]);
    let calls = 0;
    const failing = {
      ...earlier,
      readWindow: (window: Window, most: number) => {
        calls += 1;
        if (calls === 1) throw new SluiceError("nothing listens", { code: "connection_failed" });
        return earlier.readWindow(window, most);
      },
    };
    const begin = { time: NOW - YEAR_MS, id: "" };
    const { items, said } = await caughtUp(failing, begin);
    expect(items).toEqual(list);
    expect(said).toEqual([expect.stringContaining("does not answer"), "The service answers again."]);
    const { items: few, place } = await caughtUp(earlier, begin, { most: 3 });
    expect(few).toEqual(list.slice(0, 3));
    expect(place).toEqual({ id: list[2]?.id, time: list[2]?.time });
  });
});
