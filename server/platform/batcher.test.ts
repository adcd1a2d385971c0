import { describe, expect, it } from "vitest";
import { createBatcher, OutcomeUnknown, Overloaded } from "./batcher";

interface Item {
  readonly key: string;
  readonly name: string;
}

/** An error that one item caused. */
class BadItem extends Error {}

/** Returns a batcher that records every batch and blocks it until released. */
function observed(maximumSize = 64, fails: (items: readonly Item[]) => boolean = () => false, maximumWaiting = 1_000) {
  const batches: string[][] = [];
  const releases: (() => void)[] = [];
  const batcher = createBatcher<Item, string>({
    maximumSize,
    maximumWaiting,
    exclusiveKey: ({ key }) => key,
    isAttributable: (error) => error instanceof BadItem,
    run: async (items) => {
      batches.push(items.map(({ name }) => name));
      await new Promise<void>((resolve) => releases.push(resolve));
      if (fails(items)) throw new BadItem(`failed: ${items.map(({ name }) => name).join(",")}`);
      return items.map(({ name }) => name.toUpperCase());
    },
  });
  const releaseAll = async (until: Promise<unknown>) => {
    let isOver = false;
    const over = until.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    while (!isOver) {
      releases.splice(0).forEach((release) => release());
      await new Promise((resolve) => setImmediate(resolve));
    }
    await over;
  };
  return { batcher, batches, releaseAll };
}

const item = (name: string, key = name): Item => ({ name, key });

describe("gathering", () => {
  it("an item runs at once, alone, if no batch is running", () => {
    const { batcher, batches } = observed();
    void batcher.add(item("a"));
    expect(batches).toEqual([["a"]]);
  });

  it("items added during a batch form the next batch, in order, each with its own result", async () => {
    const { batcher, batches, releaseAll } = observed();
    const results = Promise.all(["a", "b", "c", "d"].map((name) => batcher.add(item(name))));
    await releaseAll(results);
    expect(batches).toEqual([["a"], ["b", "c", "d"]]);
    expect(await results).toEqual(["A", "B", "C", "D"]);
  });

  it("items of one key never share a batch and keep their order; others overtake them", async () => {
    const { batcher, batches, releaseAll } = observed();
    const names = ["a1", "a2", "a3", "b1", "a4", "b2", "c1"];
    const results = Promise.all(names.map((name) => batcher.add(item(name, name[0]))));
    await releaseAll(results);
    expect(batches).toEqual([["a1"], ["a2", "b1", "c1"], ["a3", "b2"], ["a4"]]);
    expect(await results).toEqual(names.map((name) => name.toUpperCase()));
  });

  it("no batch is larger than allowed, and none is left behind", async () => {
    const { batcher, batches, releaseAll } = observed(3);
    const results = Promise.all(Array.from({ length: 11 }, (_, n) => batcher.add(item(`i${n}`))));
    await releaseAll(results);
    expect(batches.map(({ length }) => length)).toEqual([1, 3, 3, 3, 1]);
    expect(await results).toHaveLength(11);
  });
});

describe("failing", () => {
  it("one bad item fails alone: the batch is halved until the item is alone, and its neighbors succeed", async () => {
    const { batcher, batches, releaseAll } = observed(64, (items) => items.some(({ name }) => name === "bad"));
    const settled = Promise.allSettled(["first", "x", "bad", "y"].map((name) => batcher.add(item(name))));
    await releaseAll(settled);
    expect(batches).toEqual([["first"], ["x", "bad", "y"], ["x", "bad"], ["y"], ["x"], ["bad"]]);
    expect((await settled).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect((await settled)[2]).toMatchObject({ reason: new BadItem("failed: bad") });
  });

  it.each(Array.from({ length: 64 }, (_, n) => n))(
    "one bad item of 64, at position %i, costs at most 13 runs",
    async (place) => {
      const { batcher, batches, releaseAll } = observed(64, (items) => items.some(({ name }) => name === "bad"));
      const names = Array.from({ length: 64 }, (_, n) => (n === place ? "bad" : `n${n}`));
      const settled = Promise.allSettled(["first", ...names].map((name) => batcher.add(item(name))));
      await releaseAll(settled);
      expect(batches.length - 1).toBeLessThanOrEqual(13);
      const rejected = (await settled).flatMap(({ status }, n) => (status === "rejected" ? [n - 1] : []));
      expect(rejected).toEqual([place]);
    },
  );

  it("an error whose outcome is unknown rejects every member of its batch, and none is run again", async () => {
    const runs: string[][] = [];
    const { add } = createBatcher<string, string>({
      maximumSize: 10,
      isAttributable: () => false,
      run: async (items) => {
        runs.push([...items]);
        await Promise.resolve();
        if (items.length > 1) throw new Error("Connection terminated");
        return items;
      },
    });
    const settled = await Promise.allSettled(["a", "b", "c", "d"].map(add));
    expect(runs).toEqual([["a"], ["b", "c", "d"]]);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
  });

  it("a lone item that fails is not run a second time", async () => {
    const { batcher, batches, releaseAll } = observed(64, () => true);
    const settled = Promise.allSettled([batcher.add(item("a"))]);
    await releaseAll(settled);
    expect(batches).toEqual([["a"]]);
  });

  it("the batcher continues after a failure", async () => {
    const { batcher, releaseAll } = observed(64, (items) => items.some(({ name }) => name === "bad"));
    const first = Promise.allSettled([batcher.add(item("bad"))]);
    await releaseAll(first);
    const second = batcher.add(item("good"));
    await releaseAll(second);
    expect(await second).toBe("GOOD");
  });

  it("an exception thrown before the run's first await is a failure like any other", async () => {
    const batcher = createBatcher<string, string>({
      maximumSize: 2,
      exclusiveKey: (name) => name,
      isAttributable: () => false,
      run: () => {
        throw new Error("at once");
      },
    });
    await expect(batcher.add("a")).rejects.toThrow("at once");
    await expect(batcher.add("b")).rejects.toThrow("at once");
  });
});

it("a slow item in a failed batch delays neither its neighbors nor the next batch", async () => {
  let release = () => {};
  const stuck = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { add } = createBatcher<string, string>({
    maximumSize: 10,
    exclusiveKey: (item) => item,
    isAttributable: () => true,
    run: async (items) => {
      await Promise.resolve();
      if (items.includes("stuck") && items.length > 1) throw new Error("a batch with the stuck one fails");
      if (items.includes("stuck")) await stuck;
      return items;
    },
  });
  const first = add("first");
  const waiting = ["stuck", "neighbour", "other"].map((item) => add(item));
  await first;
  await expect(Promise.all([waiting[1], waiting[2], add("later")])).resolves.toEqual(["neighbour", "other", "later"]);
  release();
  await expect(waiting[0]).resolves.toBe("stuck");
});

describe("overload", () => {
  it("rejects items beyond the bound at once; waiting items run, and then there is room again", async () => {
    const { batcher, batches, releaseAll } = observed(2, undefined, 3);
    const taken = Promise.all(["a", "b", "c", "d"].map((name) => batcher.add(item(name))));
    await expect(batcher.add(item("e"))).rejects.toThrow(Overloaded);
    await releaseAll(taken);
    expect(await taken).toEqual(["A", "B", "C", "D"]);
    const later = batcher.add(item("f"));
    await releaseAll(later);
    expect(batches).toEqual([["a"], ["b", "c"], ["d"], ["f"]]);
  });
});

describe("a batch that hangs", () => {
  function hanging() {
    const runs: string[][] = [];
    let release = () => {};
    const { add } = createBatcher<string, string>({
      maximumSize: 2,
      isAttributable: () => true,
      settlesWithinMs: 50,
      run: async (items) => {
        runs.push([...items]);
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return items;
      },
    });
    return { runs, add, release: () => release() };
  }

  it("leaves its items' outcome unknown in time; items that wait behind it are rejected and never run", async () => {
    const { runs, add, release } = hanging();
    const [first, ...behind] = await Promise.allSettled(["a", "b", "c", "d"].map(add));
    expect(first).toMatchObject({ reason: expect.any(OutcomeUnknown) as OutcomeUnknown });
    for (const one of behind) expect(one).toMatchObject({ reason: expect.any(Overloaded) as Overloaded });
    const later = add("e");
    release();
    while (runs.length < 2) await new Promise((resolve) => setImmediate(resolve));
    release();
    await expect(later).resolves.toBe("e");
    expect(runs).toEqual([["a"], ["e"]]);
  });
});
