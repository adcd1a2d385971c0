import { expect, it } from "vitest";
import { createLanes } from "./lanes";

/** Returns work that records its start and runs until released. */
function held(began: string[], name: string) {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const work = async () => {
    began.push(name);
    await gate;
  };
  return { work, letGo };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("runs a limited number per lane, the next in order as one ends, and reports the remaining room", async () => {
  const [lanes, began] = [createLanes(() => 2), [] as string[]];
  const all = ["a", "b", "c", "d"].map((name) => held(began, name));
  const done = all.map(({ work }) => lanes.run("one", work));
  await settled();
  expect([began, lanes.room()]).toEqual([["a", "b"], { one: 0 }]);
  all[1]?.letGo();
  await done[1];
  await settled();
  expect([began, lanes.room()]).toEqual([["a", "b", "c"], { one: 0 }]);
  for (const { letGo } of all) letGo();
  await lanes.idle();
  expect([began, lanes.room()]).toEqual([["a", "b", "c", "d"], {}]);
});

it("a full lane does not block another", async () => {
  const [lanes, began] = [createLanes(() => 1), [] as string[]];
  const [stuck, waiting] = [held(began, "stuck"), held(began, "waiting")];
  const stalled = [lanes.run("dead", stuck.work), lanes.run("dead", waiting.work)];
  await lanes.run("alive", async () => void began.push("other"));
  expect(began).toEqual(["stuck", "other"]);
  stuck.letGo();
  waiting.letGo();
  await Promise.all(stalled);
});

it("has room again when a run resolves, also after a failure", async () => {
  const lanes = createLanes(() => 1);
  await lanes.run("one", async () => {});
  expect(lanes.room()).toEqual({});
  await lanes.run("one", () => Promise.reject(new Error("no")));
  expect(lanes.room()).toEqual({});
});

it("failed work frees its place", async () => {
  const lanes = createLanes(() => 1);
  await lanes.run("one", () => Promise.reject(new Error("no")));
  let ran = false;
  await lanes.run("one", async () => {
    ran = true;
  });
  expect(ran).toBe(true);
});
