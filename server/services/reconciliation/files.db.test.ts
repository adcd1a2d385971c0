// A merchant sees what settlement files say of its own intents, page by page, and nothing of others.
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { newId } from "@/server/platform/ids";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { type LinePlace, listSettlementFiles, type MerchantLine, readSettlementFile } from "./files";
import { reconcile } from "./reconcile";

const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
const SETTLED_AT = "2020-01-01T00:00:00Z";

let merchant: TestMerchant;
let other: TestMerchant;
let stranger: TestMerchant;

async function paid({ context }: TestMerchant): Promise<string> {
  const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
  await simulate(context, intent.id, "succeeded");
  return intent.id;
}

/** A file of lines that say those sums of those payments; gives its id. */
async function imported(name: string, lines: readonly (readonly [reference: string, amount: number])[]) {
  const rows = lines.map(
    ([reference, amount], n) => `${name}-${n},payment,${reference},px,${amount},BRL,7,${SETTLED_AT}`,
  );
  const bytes = new TextEncoder().encode([HEADER, ...rows, ""].join("\n"));
  const bounds = { from: new Date(SETTLED_AT), to: new Date("2020-01-02T00:00:00Z") };
  return (await reconcile({ provider: "sandbox", environment: "test", name, bytes, ...bounds })).file.id;
}

let first: string;
let second: string;
let ours: string[];
beforeAll(async () => {
  [merchant, other, stranger] = [await makeMerchant(), await makeMerchant(), await makeMerchant()];
  ours = [await paid(merchant), await paid(merchant), await paid(merchant)];
  const theirs = await paid(other);
  first = await imported("first.csv", [
    [ours[0] ?? "", 1050],
    [ours[1] ?? "", 1051],
    [theirs, 1050],
    [newId("paymentIntent"), 1],
  ]);
  second = await imported("second.csv", [
    [ours[2] ?? "", 1050],
    [ours[2] ?? "", 1050],
  ]);
});
afterAll(() => disconnect());

it("files with lines of the merchant are listed, the last imported first, with the verdicts on its own lines", async () => {
  const { rows, hasMore } = await listSettlementFiles(merchant.scope, null, 10);
  expect(rows.map(({ id, name, counts }) => ({ id, name, counts }))).toEqual([
    { id: second, name: "second.csv", counts: { matched: 1, duplicate: 1 } },
    { id: first, name: "first.csv", counts: { matched: 1, amount_mismatch: 1 } },
  ]);
  expect(hasMore).toBe(false);
  const page = await listSettlementFiles(merchant.scope, null, 1);
  expect(page.hasMore).toBe(true);
  const [next] = (await listSettlementFiles(merchant.scope, page.rows[0] ?? null, 1)).rows;
  expect(next?.id).toBe(first);
  expect((await listSettlementFiles(other.scope, null, 10)).rows.map(({ counts }) => counts)).toEqual([{ matched: 1 }]);
  expect((await listSettlementFiles(stranger.scope, null, 10)).rows).toEqual([]);
});

it("a file's lines are those of the merchant, in pages of any size and of one verdict where asked", async () => {
  const lines: MerchantLine[] = [];
  for (let place: LinePlace | null = null, isFirst = true; isFirst || place; isFirst = false) {
    const page = await readSettlementFile(merchant.scope, { id: first }, place, 1);
    lines.push(...page.lines);
    place = page.next;
  }
  expect(lines.map(({ verdict, reference, amount, fee }) => [verdict, reference, amount, fee])).toEqual([
    ["amount_mismatch", ours[1], 1051n, 7n],
    ["matched", ours[0], 1050n, 7n],
  ]);
  const narrowed = await readSettlementFile(merchant.scope, { id: first, verdict: "amount_mismatch" }, null, 10);
  expect(narrowed.lines.map(({ why, ours: inBooks }) => [why, inBooks])).toEqual([
    ["our books have 10.50 BRL", { amount: 1050n, currency: "BRL" }],
  ]);
  for (const scope of [stranger.scope, { ...merchant.scope, environment: "live" as const }]) {
    await expect(readSettlementFile(scope, { id: first }, null, 10)).rejects.toMatchObject({ code: "not_found" });
  }
});
