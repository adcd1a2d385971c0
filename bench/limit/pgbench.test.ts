// The pgbench limit without pgbench: its scripts, and how its report is parsed.
import { describe, expect, it } from "vitest";
import type { Sample } from "../peer/rows";
import { readPgbench } from "./pgbench";
import { pgbenchScript } from "./pgbench-script";
import type { LimitTask } from "./task";

const audit = (id: string) => ({ merchant_id: "mer_1", id, action: "payment_intent.create" });

const sample: Sample = {
  payment_intent: {
    merchant_id: "mer_1",
    id: "dord_1",
    merchant_reference: "sample",
    dispatch_reference: "dord_k3y00000_00000000000000000000000001",
    status: "requires_action",
    amount: 1050,
    next_action: { type: "display_qr_code", note: "it's \\ at https://x" },
  },
  idempotency_key: { merchant_id: "mer_1", key: "sample-key", object_id: "dord_1", created_at: "2026-11-21T10:11:12Z" },
  idempotency_seal: { merchant_id: "mer_1", key: "sample-key", status: 201, body: '{"ok":true}' },
  provider_attempt: {
    merchant_id: "mer_1",
    id: "att_1",
    intent_id: "dord_1",
    reference: "dord_k3y00000_00000000000000000000000001",
    state: "answered",
  },
  audits: [audit("aud_1"), audit("aud_2")],
};

const task: LimitTask = {
  url: "postgres://user:secret@127.0.0.1:5432/sluice",
  samplePath: "",
  work: "statements",
  connections: 8,
  seconds: 1,
  merchantId: "mer_1",
  ids: ["a", "b"],
  deep: { createdAt: "2026-11-21T10:11:12.345Z", id: "dord_9" },
};

describe("the script of a create", () => {
  const lines = pgbenchScript(task, sample).trim().split("\n");
  const script = lines.join("\n");

  it("makes ten row changes in two transactions, one statement after another", () => {
    const verbs = script.match(/^(BEGIN|INSERT|UPDATE|COMMIT)/gm);
    const inserts = ["INSERT", "INSERT", "INSERT", "INSERT", "INSERT"];
    expect(verbs).toEqual(["BEGIN", ...inserts, "COMMIT", "BEGIN", "UPDATE", "UPDATE", ...inserts.slice(2), "COMMIT"]);
  });

  it("makes the same changes by two statements in the other form", () => {
    const cte = pgbenchScript({ ...task, work: "cte" }, sample);
    expect(cte.match(/;$/gm)).toHaveLength(2);
    expect(cte.match(/INSERT INTO|UPDATE peer/g)).toHaveLength(10);
    expect(cte).not.toContain("BEGIN");
  });

  it("gives every payment its own ids, key and reference, the same in all of its rows", () => {
    for (const old of ["dord_1'", "'sample'", "sample-key", "att_1'", "aud_1'", "aud_2'", "00000000000000000000000001"])
      expect(script).not.toContain(old);
    const intentId = /\('dord_' \|\| [^;]*?'00000000'\)/.exec(script)?.[0] ?? "none";
    expect(script.split(intentId)).toHaveLength(5);
  });

  it("has no colon that pgbench could take for a variable, except for its two variables", () => {
    const variables = script.match(/(?<!:):[A-Za-z_]\w*/g) ?? [];
    expect([...new Set(variables)].sort()).toEqual([":client_id", ":n"]);
    expect(script).toContain(String.raw`it''s`);
  });
});

it("a read selects one of the seeded ids, a deep page the rows older than its position", () => {
  expect(pgbenchScript({ ...task, work: "read" }, sample)).toMatch(
    /^\\set n random\(1, 2\)\nSELECT .* AND id = \('dord_' /s,
  );
  expect(pgbenchScript({ ...task, work: "deep" }, sample)).toContain("(created_at, id) < (E'2026-11-21T10\\x3A11");
  expect(pgbenchScript({ ...task, work: "list" }, sample)).not.toContain("(created_at, id) <");
});

describe("the report of pgbench", () => {
  const report = `number of transactions actually processed: 1234
number of failed transactions: 0 (0.000%)
latency average = 1.2 ms
initial connection time = 12.3 ms
tps = 617.4 (without initial connection time)`;

  it("contains rate and count; the log contains the percentiles, in ms", () => {
    const log = ["0 1 1000 0 1795253400 1", "0 2 3000 0 1795253400 2", "1 1 2000 0 1795253400 3"];
    expect(readPgbench(report, log)).toEqual({ rate: 617.4, p50: 2, p99: 3, done: 1234, failed: 0 });
  });

  it("has a rate of 0 without transactions, which is not a fault", () => {
    const none = report.replace("1234", "0").replace(/tps.*/, "");
    expect(readPgbench(none, [])).toMatchObject({ rate: 0, done: 0 });
  });

  it("throws with the report's text if it lacks the figures", () => {
    expect(() => readPgbench("pgbench: error", [])).toThrow("pgbench: error");
  });
});
