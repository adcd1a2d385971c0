import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Follower } from "./follower.js";

interface Item {
  readonly id: string;
  readonly time: number;
}

const BEGIN = Date.parse("2026-11-25T12:00:00Z");
const DAY_MS = 86_400_000;
const item = (id: string, seconds: number): Item => ({ id, time: BEGIN + seconds * 1_000 });
const ids = (items: readonly Item[]) => items.map(({ id }) => id);

/** A list of a service that answers from some time on, as a follower reads it. */
function polls(follower: Follower<Item>, list: readonly Item[], now: number): string[] {
  const since = follower.since()?.getTime() ?? Number.NEGATIVE_INFINITY;
  return ids(follower.take(list.filter(({ time }) => time >= since).toReversed(), now));
}

describe("a follower", () => {
  it("returns each item once, the oldest first, and those of one moment by their ids", () => {
    const follower = new Follower<Item>(({ time }) => time);
    const list = [item("c", 2), item("b", 1), item("a", 1)];
    expect(polls(follower, list, 0)).toEqual(["a", "b", "c"]);
    expect(polls(follower, [...list, item("d", 3)], 1_000)).toEqual(["d"]);
    expect(polls(follower, [...list, item("d", 3)], 2_000)).toEqual([]);
  });

  it("reads a list that has nothing yet from its beginning", () => {
    const follower = new Follower<Item>(({ time }) => time);
    expect(follower.since()).toBeNull();
    expect(polls(follower, [], 0)).toEqual([]);
    expect(follower.since()).toBeNull();
    expect(polls(follower, [item("a", 1)], 60_000)).toEqual(["a"]);
  });

  it("reads no more than a minute of a list again", () => {
    const follower = new Follower<Item>(({ time }) => time);
    for (let second = 0; second <= 120; second += 1)
      polls(follower, [item(`e${String(second).padStart(3, "0")}`, second)], second * 1_000);
    expect(follower.since()).toEqual(new Date(BEGIN + 60_000));
  });

  it("finds an item that is committed late, also if the test clock jumped by days meanwhile", () => {
    const follower = new Follower<Item>(({ time }) => time);
    const late = item("late", 1);
    const jumped = { id: "jumped", time: BEGIN + 25 * DAY_MS };
    expect(polls(follower, [item("a", 0)], 0)).toEqual(["a"]);
    expect(polls(follower, [item("a", 0), jumped], 2_000)).toEqual(["jumped"]);
    expect(polls(follower, [item("a", 0), late, jumped], 20_000)).toEqual(["late"]);
  });

  it("begins after a place, and does not go back to the beginning of an idle list", () => {
    const follower = new Follower<Item>(({ time }) => time, { time: BEGIN + 5_000, id: "b" });
    const list = [item("old", 4), item("a", 5), item("b", 5), item("c", 5), item("d", 6)];
    expect(follower.since()).toEqual(new Date(BEGIN - 25_000));
    expect(polls(follower, list, 0)).toEqual(["c", "d"]);
    const idle = new Follower<Item>(({ time }) => time, { time: BEGIN, id: "" });
    expect(polls(idle, [], 0)).toEqual([]);
    expect(idle.since()).toEqual(new Date(BEGIN - 30_000));
    expect(polls(idle, [item("at that time", 0)], 600_000)).toEqual(["at that time"]);
  });

  it("loses nothing and repeats nothing, whenever items are committed and however the clock runs ahead", () => {
    const commit = fc.record({
      /** Seconds between the instants of two items, by the service's clock. */
      pause: fc.integer({ min: 0, max: 20 }),
      /** Seconds between an item's instant and its commit. */
      late: fc.integer({ min: 0, max: 29 }),
      /** Seconds by which the merchant's clock jumps before it. */
      jump: fc.constantFrom(0, 0, 0, 3_600, 90_000),
    });
    fc.assert(
      fc.property(
        fc.array(commit, { maxLength: 40 }),
        fc.oneof(fc.integer({ min: 1, max: 15 }), fc.integer({ min: 30, max: 300 })),
        (commits, every) => {
          // The first poll comes before all of them.
          let [at, ahead] = [1, 0];
          const items = commits.map(({ pause, late, jump }, index) => {
            at += pause;
            ahead += jump;
            return { ...item(`e${String(index).padStart(2, "0")}`, at + ahead), visibleAt: at + late };
          });
          const follower = new Follower<Item>(({ time }) => time);
          const found: string[] = [];
          for (let now = 0; now <= at + 60 + every; now += every)
            found.push(
              ...polls(
                follower,
                items.filter(({ visibleAt }) => visibleAt <= now),
                now * 1_000,
              ),
            );
          expect(found.toSorted()).toEqual(ids(items).toSorted());
        },
      ),
      {
        numRuns: 10_000,
        examples: [
          [
            [
              { pause: 2, late: 28, jump: 0 },
              { pause: 0, late: 0, jump: 3_600 },
            ],
            10,
          ],
        ],
      },
    );
  });
});
