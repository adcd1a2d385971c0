// One exposition of several processes, the channel between them, and what is recorded without a token: nothing.
import { EventEmitter } from "node:events";
import { beforeEach, describe, expect, it } from "vitest";
import { answerMetrics, askForMetrics, type Channel } from "./channel";
import { expositionOf, joinExpositions, sharedWhileUnderWay } from "./exposition";
import { counter, durations, sampled } from "./instruments";
import { measureProcess, processExposition } from "./process";

const shared = globalThis as { sluiceEnv?: unknown; sluiceMetrics?: unknown };

function withToken(token: string): void {
  process.env.METRICS_TOKEN = token;
  delete shared.sluiceEnv;
}

beforeEach(() => {
  delete shared.sluiceMetrics;
  withToken("a token that has at least 32 characters");
});

describe("an instrument", () => {
  const declare = () => ({
    count: counter({ name: "sluice_tests_total", help: "Tests.", labelNames: ["kind"] }),
    time: durations({ name: "sluice_test_seconds", help: "Time.", labelNames: [], buckets: [0.1, 1] }),
  });

  it("declared in both module graphs is one", async () => {
    declare().count({ kind: "a" });
    declare().count({ kind: "a" }, 2);
    expect(await processExposition("web-1")).toContain('sluice_tests_total{kind="a",process="web-1"} 3\n');
  });

  it("takes milliseconds and shows seconds", async () => {
    declare().time({}, 250);
    const text = await processExposition("web-1");
    expect(text).toContain('sluice_test_seconds_sum{process="web-1"} 0.25\n');
    expect(text).toContain('sluice_test_seconds_bucket{le="0.1",process="web-1"} 0\n');
    expect(text).toContain('sluice_test_seconds_bucket{le="1",process="web-1"} 1\n');
  });

  it("records nothing without a token", async () => {
    withToken("");
    const { count, time } = declare();
    count({ kind: "a" });
    time({}, 1);
    measureProcess();
    const text = await processExposition("web-1");
    expect(text).not.toContain("sluice_tests_total{");
    expect(text).toContain('sluice_test_seconds_count{process="web-1"} 0\n');
    expect(text).not.toContain("nodejs_");
  });

  it("that is sampled shows what there is at the time, and nothing older", async () => {
    let names = ["a", "b"];
    const read = () => names.map((name) => ({ labels: { name }, value: 1 }));
    sampled({ name: "sluice_things", help: "Things.", labelNames: ["name"] }, read);
    expect(await processExposition("web-1")).toContain('sluice_things{name="a",process="web-1"} 1\n');
    names = ["b"];
    expect(await processExposition("web-1")).not.toContain('name="a"');
  });
});

describe("expositions", () => {
  it("of several processes are one, with each metric described once and its samples together", () => {
    const [one, other] = ["web-1", "worker-1"].map(
      (name) =>
        `# HELP x_total X.\n# TYPE x_total counter\nx_total{process="${name}"} 1\n\n# HELP y Y.\n# TYPE y gauge\n`,
    );
    expect(joinExpositions([one ?? "", other ?? "", "# HELP z Z.\n# TYPE z gauge\nz 1\n"])).toBe(
      `# HELP x_total X.
# TYPE x_total counter
x_total{process="web-1"} 1
x_total{process="worker-1"} 1

# HELP y Y.
# TYPE y gauge

# HELP z Z.
# TYPE z gauge
z 1
`,
    );
  });

  it("are collected once for scrapes at the same time, and again for the next", async () => {
    let collected = 0;
    const collect = sharedWhileUnderWay(async () => `${(collected += 1)}`);
    expect(await Promise.all([collect(), collect(), collect()])).toEqual(["1", "1", "1"]);
    expect(await collect()).toBe("2");
    const failing = sharedWhileUnderWay(() => Promise.reject(new Error(`${(collected += 1)}`)));
    await expect(failing()).rejects.toThrow("3");
    await expect(failing()).rejects.toThrow("4");
  });

  it("keep a label that contains the beginning of a description", async () => {
    const samples = [{ labels: { name: "\n# HELP y\n" }, value: 1 }];
    const text = await expositionOf([{ name: "sluice_x", type: "gauge", help: "X.", labelNames: ["name"], samples }]);
    expect(joinExpositions([text])).toContain('sluice_x{name="\\n# HELP y\\n"} 1\n');
  });
});

/** Two ends of a channel in one process. */
function channelPair(): [Channel, Channel] {
  const [one, other] = [new EventEmitter(), new EventEmitter()];
  const end = (own: EventEmitter, far: EventEmitter): Channel => ({
    send(message, callback) {
      setImmediate(() => far.emit("message", message));
      callback(null);
      return true;
    },
    on: (event, listener) => own.on(event, listener),
    off: (event, listener) => own.off(event, listener),
  });
  return [end(one, other), end(other, one)];
}

describe("a channel", () => {
  it("answers each of several questions at once with its own text, in both directions", async () => {
    const [main, child] = channelPair();
    answerMetrics(child, async (about) => `child of ${about}`);
    answerMetrics(main, async () => "main");
    const asked = [
      askForMetrics(main, "a", 30_000),
      askForMetrics(main, "b", 30_000),
      askForMetrics(child, "", 30_000),
    ];
    expect(await Promise.all(asked)).toEqual(["child of a", "child of b", "main"]);
  });

  it("gives null for a process that does not answer, and for one that is gone", async () => {
    const [main, child] = channelPair();
    expect(await askForMetrics(main, "a", 1)).toBeNull();
    const gone: Channel = { ...child, send: (_message, callback) => (callback(new Error("closed")), false) };
    expect(await askForMetrics(gone, "a", 30_000)).toBeNull();
    const { send: _, ...without } = child;
    expect(await askForMetrics(without, "a", 30_000)).toBeNull();
  });
});
