// The work that waits: what is counted, and that counting reads only what is open.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { linkAuditEntries } from "@/server/services/audit/link-entries";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { makeAllDue, makeEndpoint, makeEvent } from "@/server/services/webhooks/testing/deliveries";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { tamper } from "@/server/testing/owner";
import { disconnect, inTransaction, query } from "./client";
import {
  OPEN_EXCEPTIONS,
  OPEN_INTENTS,
  OVERDUE_WORK,
  PENDING_DELIVERIES,
  readWaitingWorkAcrossMerchants,
  UNFILLED_LINKS,
  UNFOLDED_LINKS,
  UNLINKED_AUDIT,
} from "./waiting-work";
import { claimDueDeliveriesAcrossMerchants } from "./webhooks/claims";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";

afterAll(disconnect);

async function planOf(sql: string): Promise<string> {
  const lines = await inTransaction(async (transaction) => {
    // Tables that are nearly empty are read whole, whatever their indexes; what counts is how full ones are read.
    for (const other of ["seqscan", "bitmapscan"]) await transaction.query(`SET LOCAL enable_${other} = off`);
    return transaction.query<{ "QUERY PLAN": string }>(`EXPLAIN ${sql}`);
  });
  return lines.map((line) => line["QUERY PLAN"]).join("\n");
}

const DUE = ["payment_intent_due", "payout_intent_due", "topup_intent_due"];

it.each([
  { name: "open intents", sql: OPEN_INTENTS, indexes: DUE },
  { name: "overdue work", sql: OVERDUE_WORK, indexes: [...DUE, "provider_callback_due", "delivery_due"] },
  { name: "pending deliveries", sql: PENDING_DELIVERIES, indexes: ["delivery_due"] },
  { name: "unlinked audit entries", sql: UNLINKED_AUDIT, indexes: ["audit_pending_pkey"] },
  { name: "unfolded links", sql: UNFOLDED_LINKS, indexes: ["audit_chain_pkey", "figure_mark_pkey"] },
  { name: "unfilled links", sql: UNFILLED_LINKS, indexes: ["audit_chain_pkey", "search_mark_pkey"] },
  { name: "open exceptions", sql: OPEN_EXCEPTIONS, indexes: ["exception_open"] },
])("$name: every row comes from an index of what is open, within a limit", async ({ sql, indexes }) => {
  const plan = await planOf(sql);
  const used = [...plan.matchAll(/Index (?:Only )?Scan using (\w+) on/g)].map(([, index]) => index);
  // Endpoints and clocks are few, and looked up one by one: which of their indexes is used does not matter.
  const ofWork = used.filter((index) => !/^(webhook_endpoint|sandbox_clock)_/.test(index ?? ""));
  expect(new Set(ofWork)).toEqual(new Set(indexes));
  expect(plan).not.toMatch(/Seq Scan/);
  expect(plan).toContain("Limit");
});

it("an empty database has nothing that waits", async () => {
  const work = await readWaitingWorkAcrossMerchants();
  expect(work).toMatchObject({
    openIntents: [],
    pendingDeliveries: 0,
    unfoldedLinks: 0,
    unfilledLinks: 0,
    exceptions: [],
  });
  expect(work.unlinkedAudit).toEqual({ count: 0, seconds: 0 });
  const names = ["payment_intent", "payout_intent", "topup_intent", "callback", "delivery"];
  expect(work.overdue).toEqual(names.map((name) => ({ work: name, count: 0, seconds: 0 })));
});

describe("what waits", () => {
  let receiver: LocalServer;
  let merchant: TestMerchant;

  const overdue = async (name: string) =>
    (await readWaitingWorkAcrossMerchants()).overdue.find(({ work }) => work === name);

  beforeAll(async () => {
    receiver = await startLocalServer();
    receiver.respond = json(200, {});
    merchant = await makeMerchant();
  });
  afterAll(() => receiver.stop());

  it("open intents are counted by status and age", async () => {
    const made = [];
    for (let n = 0; n < 3; n += 1)
      made.push((await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent.id);
    await tamper(
      "payment_intent",
      "UPDATE payment_intent SET created_at = now() - interval '2 hours' WHERE id = $1",
      made[0],
    );
    const { openIntents } = await readWaitingWorkAcrossMerchants();
    const common = { kind: "payment_intent", environment: "test", status: "requires_action" };
    expect(openIntents.map(({ oldest_seconds: _, ...rest }) => rest)).toEqual(
      expect.arrayContaining([
        { ...common, age: "under_1m", count: 2 },
        { ...common, age: "under_1d", count: 1 },
      ]),
    );
    const oldest = openIntents.find(({ age }) => age === "under_1d")?.oldest_seconds ?? 0;
    expect(oldest).toBeGreaterThanOrEqual(7_200);
    expect(await overdue("payment_intent")).toEqual({ work: "payment_intent", count: 0, seconds: 0 });
    await query(
      "UPDATE payment_intent SET due_at = now() - interval '90 seconds' WHERE id = ANY($1)",
      made.slice(0, 2),
    );
    const late = await overdue("payment_intent");
    expect(late?.count).toBe(2);
    expect(late?.seconds).toBeGreaterThanOrEqual(90);
  });

  it("deliveries are overdue unless a worker is busy with their endpoint, or it must not be sent to", async () => {
    const { endpoint } = await makeEndpoint(merchant, `${receiver.url}/ok`);
    await Promise.all([makeEvent(merchant), makeEvent(merchant)]);
    expect(await overdue("delivery")).toMatchObject({ count: 2 });
    const [claimed] = await claimDueDeliveriesAcrossMerchants({ perEndpoint: {}, newEndpoint: 1, total: 1 }, 30_000);
    expect(claimed?.endpointId).toBe(endpoint.id);
    expect(await overdue("delivery")).toMatchObject({ count: 0, seconds: 0 });
    expect((await readWaitingWorkAcrossMerchants()).pendingDeliveries).toBe(2);
    await makeAllDue(merchant);
    expect(await overdue("delivery")).toMatchObject({ count: 2 });
    await query("UPDATE webhook_endpoint SET held_until = now() + interval '1 hour' WHERE id = $1", endpoint.id);
    expect(await overdue("delivery")).toMatchObject({ count: 0 });
  });

  it("audit entries that are not linked, and links that no figure counts, are counted", async () => {
    const before = await readWaitingWorkAcrossMerchants();
    expect(before.unlinkedAudit.count).toBeGreaterThan(5);
    await query("UPDATE audit_pending SET queued_at = now() - interval '5 minutes'");
    expect((await readWaitingWorkAcrossMerchants()).unlinkedAudit.seconds).toBeGreaterThanOrEqual(300);
    await linkAuditEntries();
    const linked = await readWaitingWorkAcrossMerchants();
    expect(linked.unlinkedAudit).toEqual({ count: 0, seconds: 0 });
    expect(linked.unfoldedLinks).toBe(before.unlinkedAudit.count);
    expect(linked.unfilledLinks).toBe(before.unlinkedAudit.count);
  });
});
