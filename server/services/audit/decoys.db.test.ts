// Tests that a known fault hides no other: each is counted and changes the digest of all.
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { SHOWN_FAULTS } from "./faults";
import { linkAuditEntries } from "./link-entries";
import { COVERED_TABLES, openTamperer, type Tamperer } from "./testing/tampering";
import { verifyAuditChains } from "./verify-chains";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let merchant: TestMerchant;
let tamperer: Tamperer;
let ids: readonly string[];
beforeAll(async () => {
  merchant = await makeMerchant();
  for (let n = 0; n < SHOWN_FAULTS + 2; n += 1)
    await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
  while ((await linkAuditEntries()).isBehind);
  const rows = await query<{ id: string }>(
    "SELECT id FROM payout_intent WHERE merchant_id = $1 ORDER BY id",
    merchant.merchantId,
  );
  ids = rows.map(({ id }) => id);
  tamperer = await openTamperer(["audit_entry", "audit_link", "audit_chain", "audit_pending", ...COVERED_TABLES]);
});
afterEach(() => tamperer.restore());
afterAll(async () => {
  await tamperer.close();
  await disconnect();
});

async function report() {
  const [found] = await verifyAuditChains(merchant.merchantId);
  if (!found) throw new Error("no report");
  return found;
}

const grow = (condition: string) =>
  `UPDATE payout_intent SET amount = amount + 1 WHERE merchant_id = $1 AND ${condition}`;
const reasonAt = (sequence: number) => `
  UPDATE audit_entry SET reason = 'x' WHERE merchant_id = $1
    AND id = (SELECT entry_id FROM audit_link WHERE merchant_id = $1 AND sequence = ${sequence})`;
const unlinkAt = (sequence: number) => `DELETE FROM audit_link WHERE merchant_id = $1 AND sequence = ${sequence}`;
const stray = (id: string) => `
  INSERT INTO ledger_entry (merchant_id, environment, currency, kind, sequence, transaction_id, amount)
  SELECT merchant_id, environment, currency, kind, 900000 + length('${id}'), '${id}', 1 FROM ledger_account
  WHERE merchant_id = $1 AND kind = 'available' LIMIT 1`;
const forged = (id: string) => `
  INSERT INTO audit_entry (merchant_id, id, actor_type, actor_id, action, object_id, created_at)
  VALUES ($1, '${id}', 'operator', 'cli', 'wallet.fund', 'wallet:BRL', now())`;
const removed = (n: number) => `DELETE FROM payout_intent WHERE merchant_id = $1 AND id = '${ids[n]}'`;

it.each<[string, () => string, () => string]>([
  ["an edited row, another one", () => grow(`id = '${ids[0]}'`), () => grow(`id = '${ids[1]}'`)],
  ["an edited entry, another one", () => reasonAt(5), () => reasonAt(9)],
  ["an edited entry, an edited row", () => reasonAt(5), () => grow(`id = '${ids[60]}'`)],
  ["a link that is gone, an edited entry", () => unlinkAt(5), () => reasonAt(9)],
  ["an entry of no transaction, another one", () => stray("ltx_a"), () => stray("ltx_ab")],
  ["a forged entry, another one", () => forged("aud_a"), () => forged("aud_b")],
  ["a row that is gone, another one", () => removed(3), () => removed(4)],
])("of %s, both are reported", async (_, decoy, second) => {
  expect((await report()).faults.count).toBe(0);
  await tamperer.tamper([decoy()], merchant.merchantId);
  const { faults: known } = await report();
  expect(known.count).toBeGreaterThan(0);
  expect((await report()).faults).toEqual(known);
  await tamperer.tamper([second()], merchant.merchantId);
  const { faults } = await report();
  expect(faults.count).toBeGreaterThan(known.count);
  expect(faults.shown).toEqual(expect.arrayContaining([...known.shown]));
  expect(faults.digest).not.toBe(known.digest);
});

it("all faults beyond the shown ones are counted, and each changes the digest", async () => {
  await tamperer.tamper([grow(`id <> '${ids.at(-1)}'`)], merchant.merchantId);
  const { faults: known } = await report();
  expect([known.count, known.shown.length]).toEqual([SHOWN_FAULTS + 1, SHOWN_FAULTS]);
  const [last, before] = [ids.at(-1), ids.at(-2)];
  await tamperer.tamper(
    [
      grow(`id = '${last}'`),
      `UPDATE payout_intent SET amount = amount - 1 WHERE merchant_id = $1 AND id = '${before}'`,
    ],
    merchant.merchantId,
  );
  const { faults } = await report();
  expect([faults.count, faults.shown]).toEqual([known.count, known.shown]);
  expect(faults.digest).not.toBe(known.digest);
});

it("a comparison that cannot read a forged entry is reported, and the others still run", async () => {
  const anchor = forged("aud_a").replace("'wallet.fund', 'wallet:BRL'", "'ledger.anchor', $1");
  const unreadable = anchor
    .replace("object_id,", "object_id, after,")
    .replace("$1, now()", `$1, '{"transactions": "x"}', now()`);
  await tamperer.tamper([unreadable, grow(`id = '${ids[0]}'`)], merchant.merchantId);
  const { faults } = await report();
  expect(faults.shown.map(({ fault, object }) => [fault, object])).toEqual([
    ["unlinked", null],
    ["not_compared", "ledger_transaction"],
    ["row_altered", `payout_intent ${ids[0]}`],
  ]);
});
