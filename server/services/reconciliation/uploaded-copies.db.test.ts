// A line of the operator's file that the members of its merchant upload, too.
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { makeMember, makeMerchant, payment } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { applyUpdate } from "../callbacks/apply-update";
import { withoutIdempotency } from "../idempotency/completion";
import { type AnyIntent, findAnyIntent } from "../intent-kinds";
import { bookFor } from "../journal/testing/entries";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { reconcile } from "./reconcile";
import { previewUpload, storeUpload } from "./upload";

const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
const textOf = (said: readonly string[]) => `${[HEADER, ...said].join("\n")}\n`;

async function importLines(...said: string[]) {
  const bytes = new TextEncoder().encode(textOf(said));
  const done = await reconcile({
    provider: "sandbox",
    environment: "test",
    from: null,
    to: null,
    name: "f.csv",
    bytes,
  });
  return {
    verdicts: done.lines.map(({ verdict }) => verdict),
    feesBooked: done.feesBooked,
    linesBanked: done.linesBanked,
  };
}

async function failedOver() {
  const merchant = await makeMerchant();
  const { merchantId, context } = merchant;
  const { intent: paid } = await createPaymentIntent(context, payment(), withoutIdempotency());
  await simulate(context, paid.id, "succeeded");
  const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
  await simulate(context, intent.id, "failed");
  const { id } = intent;
  await queryAsOwner("ALTER TABLE payment_intent DISABLE TRIGGER USER");
  await queryAsOwner(
    `UPDATE payment_intent SET provider = 'other', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${id}'`,
  );
  await queryAsOwner("ALTER TABLE payment_intent ENABLE TRIGGER USER");
  const day = new Date(Date.now() - 3_600_000).toISOString();
  return {
    merchant,
    merchantId,
    id,
    day,
    async reportLate() {
      const subject = (await findAnyIntent(merchantId, id)) as AnyIntent;
      const money = { amount: 1050n, currency: "BRL", receiptId: "r-1", providerReference: "px" };
      const source = { provider: "sandbox", receivedAt: new Date() };
      await applyUpdate(context, subject, [{ kind: "succeeded", ...money }], source);
    },
    async upload(...said: string[]) {
      const member: CallContext = {
        ...context,
        actor: { type: "member", id: await makeMember(merchantId, `f-${newId("request")}@shop.example`, "finance") },
      };
      const file = { provider: "sandbox", name: "m.csv", text: textOf(said) };
      const { digest, lines } = await previewUpload(member, file);
      await storeUpload(member, { ...file, digest });
      return lines.map(({ verdict }) => verdict);
    },
  };
}

async function openOf(lineId: string, owner = "") {
  const find =
    "SELECT id FROM exception WHERE detail->>'line_id' = $1 AND merchant_id = $2 AND resolved_at IS NULL ORDER BY opened_at DESC";
  return String((await query<{ id: string }>(find, lineId, owner))[0]?.id);
}
const reasons = async (merchantId: string) =>
  (
    await query<{ reason: string }>(
      "SELECT reason FROM ledger_transaction WHERE merchant_id = $1 AND reason IN ('journal', 'provider_fee') ORDER BY reason",
      merchantId,
    )
  ).map(({ reason }) => reason);

it("that names an intent cannot be said to be booked: its merchant may move", async () => {
  const one = await failedOver();
  const fee = `f-${one.id},fee,${one.id},f-${one.id},30,BRL,0,${one.day},b`;
  expect((await importLines(fee)).verdicts).toEqual(["missing_internal"]);
  const id = await openOf(`f-${one.id}`);
  const told = await runCommand("exceptions", "resolve", "--id", id, "--booked", "--resolution", "jrn_1");
  expect(told).toMatchObject({ code: "validation_failed", message: expect.stringContaining(one.id) as string });
  expect(await openOf(`f-${one.id}`)).toBe(id);
});

it("that is a fee that an entry has booked is charged by no import, also once its merchant has uploaded it", async () => {
  const one = await failedOver();
  const fee = `f-${one.id},fee,${one.id},f-${one.id},30,BRL,0,${one.day},b`;
  await importLines(fee);
  const byHand = { from: "fees", to: "provider_clearing", provider: "sandbox", amount: "30" } as const;
  expect(await bookFor(one.merchant, { ...byHand, exceptionId: await openOf(`f-${one.id}`) })).toBe("confirmed");
  await one.reportLate();
  expect(await importLines(fee)).toMatchObject({ verdicts: ["missing_internal"], feesBooked: 0 });
  expect(await one.upload(fee)).toEqual(["missing_internal"]);
  await importLines(fee);
  expect(await reasons(one.merchantId)).toEqual(["journal"]);
});

it.each(["1050", "1038"])(
  "that names an intent is booked once: by nobody's exception, not as well as %s by the upload's",
  async (amount) => {
    const one = await failedOver();
    const line = `l-${one.id},payment,${one.id},p-${one.id},1050,BRL,12,${one.day},b`;
    expect((await importLines(line)).verdicts).toEqual(["missing_internal"]);
    expect(await one.upload(line)).toEqual(["missing_internal"]);
    const [nobodys, theirs] = [await openOf(`l-${one.id}`), await openOf(`l-${one.id}`, one.merchantId)];
    expect([nobodys, theirs]).not.toContain("undefined");
    const money = { provider: "sandbox" };
    expect(await bookFor(one.merchant, { ...money, exceptionId: nobodys })).toBe("confirmed");
    expect(await bookFor(one.merchant, { ...money, exceptionId: theirs, amount })).toBe("validation_failed");
  },
);

async function paying() {
  const merchant = await makeMerchant();
  const { merchantId, context } = merchant;
  const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
  await simulate(context, intent.id, "succeeded");
  const { id } = intent;
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const upload = async (...said: string[]) => {
    const actor = {
      type: "member",
      id: await makeMember(merchantId, `f-${newId("request")}@shop.example`, "finance"),
    } as const;
    const file = { provider: "sandbox", name: "m.csv", text: textOf(said) };
    const { digest, lines } = await previewUpload({ ...context, actor }, file);
    await storeUpload({ ...context, actor }, { ...file, digest });
    return lines.map(({ verdict }) => verdict);
  };
  return { merchantId, id, day, upload, paid: (batch: string) => `l-${id},payment,${id},p,1050,BRL,0,${day},${batch}` };
}

it.each([
  ["without reference", false, false],
  ["without reference", false, true],
  ["that names an intent", true, false],
  ["that names an intent", true, true],
])(
  "that is a bank line %s and does not add up asks a person (%s; its merchant uploads a part: %s)",
  async (_, names, isUploaded) => {
    const [a, b] = [await paying(), await paying()];
    const bank = `b-${b.id},bank_credit,${names ? b.id : ""},x,1050,BRL,0,${b.day},x${b.id}`;
    if (isUploaded) await b.upload(b.paid(`x${b.id}`), bank);
    const done = await importLines(a.paid(`x${b.id}`), b.paid(`x${b.id}`), bank);
    expect({ ...done, isAsked: (await openOf(`b-${b.id}`)) !== "undefined" }).toMatchObject({
      linesBanked: 0,
      isAsked: true,
    });
  },
);

it.each([false, true])(
  "that is a transfer without a batch settles its file's lines (a member uploads it beside a made-up one: %s)",
  async (isUploaded) => {
    const [a, b] = [await paying(), await paying()];
    const bank = `b-${b.id},bank_credit,${b.id},x,2100,BRL,0,${b.day},`;
    if (isUploaded) await b.upload(`z-${b.id},payment,none-${b.id},p,2100,BRL,0,${b.day},`, bank);
    const done = await importLines(a.paid(""), b.paid(""), bank);
    const again = await importLines(a.paid(""), b.paid(""), bank);
    expect([done.linesBanked + again.linesBanked, await openOf(`b-${b.id}`)]).toEqual([2, "undefined"]);
  },
);
