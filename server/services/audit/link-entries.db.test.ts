// The worker links entries to chains: within a round, without gaps or forks, every entry once.
import { Client } from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { env } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { createKeyRing } from "@/server/platform/key-ring";
import { keyRing } from "@/server/platform/keys";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { runWorker } from "@/server/worker/run";
import { linkAuditEntries } from "./link-entries";
import { verifyAuditChains } from "./verify-chains";

afterEach(async () => {
  vi.unstubAllGlobals();
  await requireInvariants();
});

async function chainOf({ merchantId }: TestMerchant) {
  const links = await query<{ sequence: bigint; entry_id: string; hash: string; key_id: string }>(
    "SELECT sequence, entry_id, hash, key_id FROM audit_link WHERE merchant_id = $1 ORDER BY sequence",
    merchantId,
  );
  const entries = await query<{ id: string }>(
    "SELECT id FROM audit_entry WHERE merchant_id = $1 ORDER BY id",
    merchantId,
  );
  return { links, sequences: links.map((link) => Number(link.sequence)), entryIds: entries.map(({ id }) => id) };
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

async function verdictOf({ merchantId }: TestMerchant) {
  const [report] = await verifyAuditChains(merchantId);
  return report;
}

async function addEntries(merchant: TestMerchant, count: number): Promise<void> {
  const payouts = Array.from({ length: count }, () =>
    createPayoutIntent(merchant.context, payout(), withoutIdempotency()),
  );
  await Promise.all(payouts);
}

describe("linking", () => {
  it("links every entry of every merchant and empties the queue", async () => {
    const merchants = await Promise.all([makeMerchant(["BRL", "MXN"]), makeMerchant(), makeMerchant()]);
    await addEntries(merchants[0] as TestMerchant, 20);
    const { entries } = await linkAuditEntries();
    expect(entries).toBeGreaterThanOrEqual(20 + 3 + 2 + 2);
    expect(await query("SELECT entry_id FROM audit_pending")).toEqual([]);
    for (const merchant of merchants) {
      const { links, sequences, entryIds } = await chainOf(merchant);
      expect(sequences).toEqual(upTo(entryIds.length));
      expect(links.map((link) => link.entry_id).sort()).toEqual(entryIds);
      expect(await verdictOf(merchant)).toMatchObject({ waiting: 0, unlinked: 0, broken: null });
    }
    expect(await linkAuditEntries()).toEqual({ entries: 0, isBehind: false });
  });

  it("is a loop of the worker: entries are linked while it runs", async () => {
    const merchant = await makeMerchant();
    await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    const ending = new AbortController();
    const worker = runWorker(ending.signal);
    try {
      await vi.waitFor(async () => expect((await chainOf(merchant)).links.length).toBeGreaterThanOrEqual(4), 30_000);
    } finally {
      ending.abort();
      await worker;
    }
    await linkAuditEntries();
    expect(await verdictOf(merchant)).toMatchObject({ unlinked: 0, broken: null });
  });

  it("by four workers at once, while entries arrive and a fifth verifies, builds one valid chain with each entry once", async () => {
    const merchants = await Promise.all([makeMerchant(), makeMerchant()]);
    let isDone = false;
    let linked = 0;
    const workers = Array.from({ length: 4 }, async () => {
      while (!isDone) {
        const { entries } = await linkAuditEntries();
        linked += entries;
      }
    });
    const verdicts: unknown[] = [];
    const verifier = (async () => {
      while (!isDone) verdicts.push(...(await verifyAuditChains(null)).map(({ broken }) => broken));
    })();
    for (let round = 0; round < 15; round += 1) await Promise.all(merchants.map((one) => addEntries(one, 10)));
    isDone = true;
    await Promise.all([...workers, verifier]);
    expect(verdicts.length).toBeGreaterThan(5);
    expect(verdicts.filter((broken) => broken !== null)).toEqual([]);
    const rest = await linkAuditEntries();
    const chains = await Promise.all(merchants.map(chainOf));
    expect(linked + rest.entries).toBe(chains.flatMap(({ links }) => links).length);
    for (const [n, { links, sequences, entryIds }] of chains.entries()) {
      expect(entryIds.length).toBeGreaterThanOrEqual(150);
      expect(sequences).toEqual(upTo(entryIds.length));
      expect(links.map((link) => link.entry_id).sort()).toEqual(entryIds);
      expect(await verdictOf(merchants[n] as TestMerchant)).toMatchObject({ broken: null });
    }
  });

  it("links an entry once that commits after younger ones were linked", async () => {
    const merchant = await makeMerchant();
    const slow = new Client({ connectionString: env().databaseUrl ?? "" });
    await slow.connect();
    const id = newId("audit");
    await slow.query("BEGIN");
    await slow.query(
      `INSERT INTO audit_entry (merchant_id, id, actor_type, actor_id, action, object_id, created_at)
       VALUES ($1, $2, 'worker', 'worker', 'test.late', 'x', now())`,
      [merchant.merchantId, id],
    );
    await slow.query("INSERT INTO audit_pending (merchant_id, entry_id) VALUES ($1, $2)", [merchant.merchantId, id]);
    await addEntries(merchant, 5);
    await linkAuditEntries();
    expect((await chainOf(merchant)).links.map((link) => link.entry_id)).not.toContain(id);
    await slow.query("COMMIT");
    await slow.end();
    await linkAuditEntries();
    const { links, sequences, entryIds } = await chainOf(merchant);
    expect(links.at(-1)?.entry_id).toBe(id);
    expect(sequences).toEqual(upTo(entryIds.length));
    expect(await verdictOf(merchant)).toMatchObject({ broken: null });
  });

  it("continues beyond one batch, and reports that more is waiting", async () => {
    const merchant = await makeMerchant();
    await query(
      `WITH entry AS (
         INSERT INTO audit_entry (merchant_id, id, actor_type, actor_id, action, object_id, created_at)
         SELECT $1, 'aud_' || lpad(n::text, 5, '0'), 'worker', 'worker', 'test.many', 'x', now()
         FROM generate_series(1, 1200) n RETURNING merchant_id, id)
       INSERT INTO audit_pending (merchant_id, entry_id) SELECT merchant_id, id FROM entry`,
      merchant.merchantId,
    );
    const rounds = [await linkAuditEntries(), await linkAuditEntries(), await linkAuditEntries()];
    expect(rounds.map(({ isBehind }) => isBehind)).toEqual([true, true, false]);
    expect(await verdictOf(merchant)).toMatchObject({ end: { sequence: 1202n }, broken: null });
  });

  it("continues the same chain under a new secret, and verifies older links under theirs", async () => {
    const merchant = await makeMerchant();
    await linkAuditEntries();
    const older = keyRing();
    const newer = createKeyRing([Buffer.alloc(32, 7), ...env().secrets]);
    vi.stubGlobal("sluiceKeyRing", newer);
    await addEntries(merchant, 3);
    await linkAuditEntries();
    const { links } = await chainOf(merchant);
    const ids = [older.current("audit-chain").id, newer.current("audit-chain").id];
    expect(new Set(links.map((link) => link.key_id))).toEqual(new Set(ids));
    expect(await verdictOf(merchant)).toMatchObject({ broken: null });
    vi.stubGlobal("sluiceKeyRing", createKeyRing([Buffer.alloc(32, 7)]));
    expect(await verdictOf(merchant)).toMatchObject({ broken: { fault: "key_unknown", sequence: 1n } });
  });
});
