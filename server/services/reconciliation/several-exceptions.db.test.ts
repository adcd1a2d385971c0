// One line of a settlement file that names no intent has an exception of nobody and one of each merchant that uploads it.
import { beforeEach, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { makeMember, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { withoutIdempotency } from "../idempotency/completion";
import { bookFor } from "../journal/testing/entries";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { reconcile } from "./reconcile";
import { previewUpload, storeUpload } from "./upload";

const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
const SETTLED_AT = "2020-01-01T00:00:00Z";
let merchant: TestMerchant;
let other: TestMerchant;
beforeEach(async () => {
  [merchant, other] = [await makeMerchant(), await makeMerchant()];
  for (const { context } of [merchant, other]) {
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "succeeded");
  }
});
async function finance({ merchantId, context }: TestMerchant): Promise<CallContext> {
  return {
    ...context,
    actor: { type: "member", id: await makeMember(merchantId, `f-${newId("request")}@shop.example`, "finance") },
  };
}
const fileOf = () => {
  const lineId = newId("event");
  return {
    lineId,
    provider: "sandbox",
    name: `${lineId}.csv`,
    text: `${HEADER}\n${lineId},payment,,px,1050,BRL,12,${SETTLED_AT}\n`,
  };
};
type File = ReturnType<typeof fileOf>;
const operatorImports = ({ name, text }: File) =>
  reconcile({
    provider: "sandbox",
    environment: "test",
    name,
    bytes: new TextEncoder().encode(text),
    from: new Date(SETTLED_AT),
    to: new Date("2020-01-02T00:00:00Z"),
  });
async function upload({ provider, name, text }: File, of = merchant) {
  const context = await finance(of);
  const { digest } = await previewUpload(context, { provider, name, text });
  await storeUpload(context, { provider, name, text, digest });
}
async function exceptionOf(merchantId: string, { lineId }: File): Promise<string> {
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId, openOnly: true });
  return exceptions.find(({ objectId }) => objectId === lineId)?.id ?? "";
}
const book = (exceptionId: string, amount = "1050", of = merchant) =>
  bookFor(of, { provider: "sandbox", exceptionId, amount });
const journaled = async (of = [merchant, other]) =>
  (
    await query<{ amount: string }>(
      "SELECT amount::text FROM journal_entry WHERE merchant_id = ANY($1) AND state = 'confirmed'",
      of.map((m) => m.merchantId),
    )
  ).map(({ amount }) => amount);

it("booked for its uploader, it is not booked for another merchant by nobody's exception", async () => {
  const file = fileOf();
  await operatorImports(file);
  await upload(file);
  const [nobodys, theirs] = [await exceptionOf("", file), await exceptionOf(merchant.merchantId, file)];
  expect([nobodys, theirs]).not.toContain("");
  expect(await book(theirs)).toBe("confirmed");
  await book(nobodys, "1050", other);
  expect(await journaled()).toEqual(["1050"]);
});

it("booked gross by one exception, it is not booked net by the other", async () => {
  const file = fileOf();
  await operatorImports(file);
  await upload(file);
  const [nobodys, theirs] = [await exceptionOf("", file), await exceptionOf(merchant.merchantId, file)];
  expect(await book(theirs)).toBe("confirmed");
  await book(nobodys, "1038");
  expect(await journaled()).toEqual(["1050"]);
});

it("booked by nobody's exception, it needs nobody when its merchant uploads it afterwards", async () => {
  const file = fileOf();
  await operatorImports(file);
  expect(await book(await exceptionOf("", file))).toBe("confirmed");
  await upload(file);
  const again = await exceptionOf(merchant.merchantId, file);
  if (again !== "") await book(again, "1038");
  expect([again, await journaled()]).toEqual(["", ["1050"]]);
});

it("uploaded by two merchants, it is booked for one", async () => {
  const file = fileOf();
  await upload(file);
  await upload(file, other);
  expect(await book(await exceptionOf(merchant.merchantId, file))).toBe("confirmed");
  await book(await exceptionOf(other.merchantId, file), "1050", other);
  expect(await journaled()).toEqual(["1050"]);
});

/** What the books have on the operator's bank account, of both merchants. */
const banked = async () => {
  const [row] = await query<{ balance: string }>(
    "SELECT coalesce(sum(balance), 0)::text AS balance FROM ledger_account WHERE merchant_id = ANY($1) AND kind = 'bank'",
    [merchant.merchantId, other.merchantId],
  );
  return Math.abs(Number(row?.balance ?? 0));
};
it("a bank line that the operator's import has booked is not booked by hand, if a member uploads a part of the file afterwards", async () => {
  const ids: string[] = [];
  for (const { context } of [merchant, other]) {
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "succeeded");
    ids.push(intent.id);
  }
  const name = newId("event");
  const header = `${HEADER},batch`;
  const lines = ids.map((id, n) => `${name}-${n},payment,${id},px,1050,BRL,,${SETTLED_AT},${name}`);
  const bank = `${name}-b,bank_credit,,tr,2100,BRL,,${SETTLED_AT},${name}`;
  const file = (rows: readonly string[]) => ({
    provider: "sandbox",
    name: `${name}-${rows.length}.csv`,
    text: [header, ...rows, ""].join("\n"),
    lineId: `${name}-b`,
  });
  const { linesBanked } = await operatorImports(file([...lines, bank]));
  expect([linesBanked, await banked()]).toEqual([2, 2100]);
  await upload(file([lines[0] ?? "", bank]));
  const exceptionId = await exceptionOf(merchant.merchantId, file([]));
  expect(exceptionId).not.toBe("");
  const transfer = { from: "bank", to: "provider_clearing", provider: "sandbox", exceptionId } as const;
  expect([await bookFor(merchant, transfer), await banked()]).toEqual(["validation_failed", 2100]);
});
