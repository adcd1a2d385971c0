// Members upload settlement files about their merchant: previewed, stored as previewed, apart from everybody else's.
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { makeMember, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { tamper } from "@/server/testing/owner";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { withoutIdempotency } from "../idempotency/completion";
import { confirmJournalEntry } from "../journal/decide";
import { proposeJournalEntry } from "../journal/propose";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { listSettlementFiles, readSettlementFile } from "./files";
import { reconcile } from "./reconcile";
import { sumFile, sumPeriod } from "./totals";
import { previewUpload, storeUpload } from "./upload";

const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
const SETTLED_AT = "2020-01-01T00:00:00Z";

let merchant: TestMerchant;
let other: TestMerchant;
let finance: CallContext;
beforeEach(async () => {
  [merchant, other] = [await makeMerchant(), await makeMerchant()];
  finance = await memberOf(merchant, "finance");
});
afterAll(disconnect);

async function memberOf({ merchantId, context }: TestMerchant, role: "finance" | "approver"): Promise<CallContext> {
  const id = await makeMember(merchantId, `${role}-${newId("request")}@shop.example`, role);
  return { ...context, actor: { type: "member", id } };
}

async function paid({ context }: TestMerchant): Promise<string> {
  const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
  await simulate(context, intent.id, "succeeded");
  return intent.id;
}

let files = 0;
/** A file with one line per reference, of that amount; a name makes its line ids. */
function fileOf(name: string, lines: readonly (readonly [reference: string, amount: number])[]) {
  files += 1;
  const rows = lines.map(
    ([reference, amount], n) => `${name}-${n},payment,${reference},px,${amount},BRL,7,${SETTLED_AT}`,
  );
  return { provider: "sandbox", name: `${files}.csv`, text: [HEADER, ...rows, ""].join("\n") };
}

const operatorImports = ({ name, text }: ReturnType<typeof fileOf>) =>
  reconcile({
    provider: "sandbox",
    environment: "test",
    name,
    bytes: new TextEncoder().encode(text),
    from: new Date(SETTLED_AT),
    to: new Date("2020-01-02T00:00:00Z"),
  });

async function upload(file: ReturnType<typeof fileOf>, context = finance) {
  const { digest } = await previewUpload(context, file);
  return storeUpload(context, { ...file, digest });
}

const verdictsOf = async (file: ReturnType<typeof fileOf>, context = finance) =>
  (await previewUpload(context, file)).lines.map(({ verdict, isKnown }) => [verdict, isKnown]);

const exceptionsOf = async ({ merchantId }: TestMerchant) =>
  (await listExceptionsAcrossMerchants({ merchantId, openOnly: true })).exceptions.map(({ kind }) => kind).sort();

const rowCounts = () =>
  Promise.all(["settlement_file", "settlement_line", "exception", "audit_entry"].map((table) => countRows(table)));

it("a preview has a verdict for every line and writes nothing; what is stored is what was shown", async () => {
  const [right, wrong] = [await paid(merchant), await paid(merchant)];
  const file = fileOf(newId("request"), [
    [right, 1050],
    [wrong, 1040],
    [newId("paymentIntent"), 500],
  ]);
  const before = await rowCounts();
  expect(await verdictsOf(file)).toEqual([
    ["matched", false],
    ["amount_mismatch", false],
    ["missing_internal", false],
  ]);
  expect(await rowCounts()).toEqual(before);
  const { fileId, exceptionsOpened } = await upload(file);
  expect(exceptionsOpened).toBe(2);
  expect(await exceptionsOf(merchant)).toEqual(["amount_mismatch", "missing_internal"]);
  const { lines, file: stored } = await readSettlementFile(merchant.scope, { id: fileId }, null, 10);
  expect(lines.map(({ verdict }) => verdict)).toEqual(["amount_mismatch", "matched", "missing_internal"]);
  expect(stored.uploadedBy).toBe(finance.actor.id);
  expect(await sumFile(merchant.scope, stored)).toEqual([
    { provider: "sandbox", currency: "BRL", lines: 3, differing: 2, theirs: 2590n, ours: 2100n, fees: 21n },
  ]);
  const audited = await query<object>(
    "SELECT actor_id, object_id, after->'verdicts' AS verdicts FROM audit_entry WHERE merchant_id = $1 AND action = 'settlement_file.upload'",
    merchant.merchantId,
  );
  const verdicts = { matched: 1, amount_mismatch: 1, missing_internal: 1 };
  expect(audited).toEqual([{ actor_id: finance.actor.id, object_id: fileId, verdicts }]);
  await requireInvariants();
});

it("books nothing; the operator's import of the same file books the fees, once, and finds the same lines", async () => {
  const file = fileOf(newId("request"), [[await paid(merchant), 1050]]);
  const transactions = await countRows("ledger_transaction");
  await upload(file);
  expect(await countRows("ledger_transaction")).toBe(transactions);
  const { feesBooked, lines, exceptionsOpened } = await operatorImports(file);
  expect([feesBooked, exceptionsOpened, lines.map(({ verdict }) => verdict)]).toEqual([1, 0, ["matched"]]);
  await requireInvariants();
});

it("a file or line that was read before is recognized, and a file without anything new is rejected", async () => {
  const [first, second] = [await paid(merchant), await paid(merchant)];
  const name = newId("request");
  const file = fileOf(name, [[first, 1050]]);
  await upload(file);
  expect(await verdictsOf(file)).toEqual([["matched", true]]);
  await expect(upload(file)).rejects.toThrow(/no line that was not read before/);
  const longer = fileOf(name, [
    [first, 1050],
    [second, 1050],
    [second, 1050],
  ]);
  expect(await verdictsOf(longer)).toEqual([
    ["matched", true],
    ["matched", false],
    ["duplicate", false],
  ]);
  await operatorImports(longer);
  expect((await verdictsOf(longer)).map(([, isKnown]) => isKnown)).toEqual([true, true, true]);
});

it("what has changed since the preview is not stored", async () => {
  const id = await paid(merchant);
  const [file, rival] = [fileOf(newId("request"), [[id, 1050]]), fileOf(newId("request"), [[id, 1050]])];
  const { digest } = await previewUpload(finance, file);
  await upload(rival);
  const before = await rowCounts();
  await expect(storeUpload(finance, { ...file, digest })).rejects.toThrow(/check them again/);
  expect(await rowCounts()).toEqual(before);
});

it("of two uploads of one file at once, one stores it and the other changes nothing", async () => {
  const file = fileOf(newId("request"), [[await paid(merchant), 1050]]);
  const { digest } = await previewUpload(finance, file);
  const results = await Promise.allSettled([1, 2, 3].map(() => storeUpload(finance, { ...file, digest })));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const codes = results.flatMap((result) =>
    result.status === "rejected" ? [(result.reason as { code: string }).code] : [],
  );
  expect(codes).toEqual(["validation_failed", "validation_failed"]);
  expect((await listSettlementFiles(merchant.scope, null, 10)).rows).toHaveLength(1);
});

describe("an upload cannot reach other merchants", () => {
  it("lines of theirs are unknown, open exceptions of the uploader only, and stay the operator's to import", async () => {
    const theirs = await paid(other);
    await paid(merchant);
    const file = fileOf(newId("request"), [[theirs, 1050]]);
    expect(await verdictsOf(file)).toEqual([["missing_internal", false]]);
    await upload(file);
    expect(await exceptionsOf(other)).toEqual([]);
    expect((await listSettlementFiles(other.scope, null, 10)).rows).toEqual([]);
    const { lines } = await operatorImports(file);
    expect(lines.map(({ verdict, merchantId }) => [verdict, merchantId])).toEqual([["matched", other.merchantId]]);
    const [own] = (await listSettlementFiles(other.scope, null, 10)).rows;
    expect([own?.counts, own?.uploadedBy]).toEqual([{ matched: 1 }, null]);
    const [left] = (await listSettlementFiles(merchant.scope, null, 10)).rows;
    expect(left?.counts).toEqual({ missing_internal: 1 });
  });

  it("a forged line with the id of another's line does not spoil that line for the operator", async () => {
    const [mine, theirs] = [await paid(merchant), await paid(other)];
    const name = newId("request");
    await upload(fileOf(name, [[mine, 1]]));
    const { lines } = await operatorImports(fileOf(name, [[theirs, 1050]]));
    expect(lines.map(({ verdict }) => verdict)).toEqual(["matched"]);
  });

  it("the operator's period does not begin where a member's file ended", async () => {
    const at = "2020-03-01T00:00:00Z";
    const later = (id: string) => [HEADER, `${newId("request")},payment,${id},px,1050,BRL,,${at}`, ""].join("\n");
    await upload({ provider: "sandbox", name: "later.csv", text: later(await paid(merchant)) });
    const { file } = await reconcile({
      provider: "sandbox",
      environment: "test",
      name: "operator.csv",
      bytes: new TextEncoder().encode(later(await paid(other)).replace("03-01", "03-02")),
      from: null,
      to: null,
    });
    expect(file.from.toISOString()).not.toBe("2020-03-01T00:00:00.001Z");
  });
});

describe("a fee that names an intent which the provider does not have yet", () => {
  const ROUTED = `UPDATE payment_intent SET provider = $2, routing = jsonb_set(routing, '{order}', '["sandbox", "other"]')
    WHERE id = $1`;

  /** Uploaded while its intent is with another provider; `found` brings the intent back. */
  async function missingFee() {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    await simulate(merchant.context, intent.id, "failed");
    await tamper("payment_intent", ROUTED, intent.id, "other");
    await paid(merchant);
    const file = fileOf(newId("request"), [[intent.id, 30]]);
    const fee = { ...file, text: file.text.replace(",payment,", ",fee,").replace(",7,", ",0,") };
    await upload(fee);
    const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true });
    const entry = await proposeJournalEntry(merchant.scope, "Maria Lopez", {
      from: "fees",
      to: "provider_clearing",
      amount: "30",
      currency: "BRL",
      provider: "sandbox",
      evidence: "Seen in their portal.",
      exceptionId: exceptions.find(({ objectId }) => objectId === intent.id)?.id ?? "",
      about: null,
      isAdditional: false,
    });
    return { fee, entryId: entry.id, found: () => tamper("payment_intent", ROUTED, intent.id, "sandbox") };
  }

  const countJournaled = async () => {
    const sql =
      "SELECT reason FROM ledger_transaction WHERE merchant_id = $1 AND reason IN ('journal', 'provider_fee')";
    return (await query<{ reason: string }>(sql, merchant.merchantId)).map(({ reason }) => reason);
  };

  it("and was booked by hand is not charged by the operator's import, nor after another upload", async () => {
    const { fee, entryId, found } = await missingFee();
    await confirmJournalEntry(entryId, "Jan Novak");
    await found();
    await upload({ ...fee, name: "again.csv" });
    const { feesBooked, lines } = await operatorImports(fee);
    expect([feesBooked, lines.map(({ verdict, why }) => [verdict, why])]).toEqual([0, [["missing_internal", null]]]);
    expect(await countJournaled()).toEqual(["journal"]);
  });

  it("and was charged by the operator's import is not booked by hand", async () => {
    const { fee, entryId, found } = await missingFee();
    await found();
    expect(await operatorImports(fee)).toMatchObject({ feesBooked: 1, exceptionsResolved: 1 });
    await expect(confirmJournalEntry(entryId, "Jan Novak")).rejects.toMatchObject({ code: "validation_failed" });
    expect(await countJournaled()).toEqual(["provider_fee"]);
  });
});

it("is for members with the role, providers of the merchant, and files of at most 500 lines", async () => {
  const file = fileOf(newId("request"), [[await paid(merchant), 1050]]);
  await expect(previewUpload(await memberOf(merchant, "approver"), file)).rejects.toThrow(/upload settlement files/);
  await expect(previewUpload(merchant.context, file)).rejects.toThrow(/Only a member/);
  await expect(previewUpload(finance, { ...file, provider: "acme" })).rejects.toThrow(/no money of yours/);
  const long = fileOf(
    newId("request"),
    Array.from({ length: 501 }, () => ["x", 1] as const),
  );
  await expect(previewUpload(finance, long)).rejects.toThrow(/at most 500 lines/);
  await expect(previewUpload(finance, { ...file, text: "line_id\n1\n" })).rejects.toThrow(/line 1, column kind/);
});

it("a month has both sides, the fees, and what is in the books and in no file", async () => {
  const [settled, open] = [await paid(merchant), await paid(merchant)];
  const now = new Date();
  const rows = `${newId("request")},payment,${settled},px,1049,BRL,7,${now.toISOString()}`;
  await upload({ provider: "sandbox", name: "now.csv", text: [HEADER, rows, ""].join("\n") });
  const day = 24 * 60 * 60_000;
  const period = { from: new Date(now.getTime() - day), to: new Date(now.getTime() + day) };
  const { result } = await sumPeriod(merchant.scope, period);
  expect(result).toEqual([
    {
      provider: "sandbox",
      currency: "BRL",
      lines: 1,
      differing: 1,
      theirs: 1049n,
      ours: 1050n,
      fees: 7n,
      unsettled: { count: 1, amount: 1050n },
    },
  ]);
  expect(open).not.toBe(settled);
  expect((await sumPeriod(other.scope, period)).result).toEqual([]);
});
