// The statements by which pgbench writes the rows of a life.
import { describe, expect, it } from "vitest";
import { commands } from "../limit/pgbench-script";
import type { Fate } from "./course";
import { computedLife, type LifeSample, lifeCommits } from "./peer-rows";

const OWN = { merchant_id: "mer_1" };
const entry = (id: string) => ({ ...OWN, id, object_id: "dord_1" });
const link = (entryId: string, sequence: number) => ({ ...OWN, sequence, entry_id: entryId });

function lifeOf(fate: Fate): LifeSample {
  const isPaid = fate === "paid";
  const entries = fate === "declined" ? ["aud_1", "aud_2"] : ["aud_1", "aud_2", "aud_3"];
  const posting = (kind: string, amount: number) => ({ ...OWN, kind, amount, sequence: 7, transaction_id: "txn_1" });
  return {
    payment_intent: [
      { ...OWN, id: "dord_1", merchant_reference: "order-1", status: "ended", expires_at: "2026-11-24" },
    ],
    idempotency_key: [{ ...OWN, key: "key-1", object_id: "dord_1" }],
    idempotency_seal: [{ ...OWN, key: "key-1", body: '{"next_action":{"type":"display_qr_code"}}' }],
    provider_attempt: [{ ...OWN, id: "att_1", intent_id: "dord_1", state: "answered" }],
    audit_entry: entries.map(entry),
    audit_link: entries.map(link),
    provider_callback: isPaid ? [{ provider: "bench", callback_id: "cb_dord_1", received_at: "2026-11-24" }] : [],
    event: [{ ...OWN, id: "evt_1", intent_id: "dord_1" }],
    delivery: [{ ...OWN, id: "dlv_1", event_id: "evt_1", state: "delivered", created_at: "2026-11-24" }],
    delivery_attempt: [{ ...OWN, delivery_id: "dlv_1", ordinal: 1 }],
    ledger_transaction: isPaid ? [{ ...OWN, id: "txn_1", unique_key: "credit:rc_dord_1", intent_id: "dord_1" }] : [],
    ledger_entry: isPaid ? [posting("available", 1_000), posting("clearing", -1_000)] : [],
    api_log: [{ ...OWN, id: "req_1" }],
  };
}

describe.each([
  ["paid", 10],
  ["expired", 8],
  ["declined", 6],
] as const)("a life that is %s", (fate, commits) => {
  const lines = commands(lifeCommits(computedLife(lifeOf(fate)), fate));
  const script = lines.join("\n");

  it("is written by one statement per commit", () => {
    expect(lines).toHaveLength(commits);
  });

  it("begins each with what it writes, or with what comes before that", () => {
    for (const line of lines) expect(line).toMatch(/^(INSERT INTO|UPDATE|WITH s0 AS \()/);
  });

  it("has every row of the sample once", () => {
    for (const [table, rows] of Object.entries(lifeOf(fate)))
      expect([table, script.split(`INSERT INTO peer.${table} `).length - 1]).toEqual([table, rows.length]);
  });

  it("has new ids, the same ones in all rows, and numbers that increase", () => {
    expect(script).not.toMatch(/'(dord|evt|dlv|aud|att|txn|req)_1'/);
    expect(script).not.toContain("key-1");
    // The event and its delivery.
    expect(script.split("('evt_' || ").length - 1).toBe(2);
    expect(script).toContain(":n::bigint * 1000");
    expect(script.match(/:[a-z_]+/g)?.every((name) => /^:(n|client_id|bigint|text|int)$/.test(name))).toBe(true);
  });
});
