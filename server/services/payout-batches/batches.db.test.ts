// Payouts from a file: a verdict per line, nothing before the confirmation, nothing twice.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { requireInvariants } from "@/server/testing/invariants";
import { adoptPolicy, makeMember, makeMerchant, OPENING, type TestMerchant } from "@/server/testing/merchant";
import { setRecipientCoolOff } from "../merchants/recipient-cool-off";
import { saveRecipient } from "../recipients/save";
import { getBatch } from "./approve";
import { createBatch } from "./create";
import { previewBatch } from "./preview";

let merchant: TestMerchant;
let finance: CallContext;
beforeEach(async () => {
  merchant = await makeMerchant(["BRL", "JPY"]);
  const id = await makeMember(merchant.merchantId, `${newId("request")}@shop.example`, "finance");
  finance = { ...merchant.context, actor: { type: "member", id } };
  await saveRecipient(finance, recipient("0001-1111"));
  await saveRecipient(finance, recipient("0002-2222", "Bakery Two"));
});
afterEach(requireInvariants);

const recipient = (accountNumber: string, holderName = "Ana Souza") => ({
  holderName,
  accountNumber,
  bankCode: "001",
  country: "BR",
  currency: "BRL",
});

const HEADER = "account_number,bank_code,currency,amount,reference,holder_name";
const file = (...lines: readonly string[]) => [HEADER, ...lines].join("\n");
const GOOD = ['0001 1111,001,BRL,"1,250.50",INV-1,ana souza', "00022222,001,BRL,10,INV-2,"];

const payouts = () =>
  query<{ reference: string; amount: string; approvals: number; batch: string | null }>(
    `SELECT merchant_reference AS reference, amount::text, approvals_required AS approvals, batch_id AS batch
     FROM payout_intent WHERE merchant_id = $1 ORDER BY merchant_reference`,
    merchant.merchantId,
  );

async function confirm(text: string) {
  const { digest } = await previewBatch(finance, text);
  return createBatch(finance, { text, name: "payouts.csv", digest });
}

describe("a preview", () => {
  it("judges each line, and writes nothing", async () => {
    await setRecipientCoolOff(merchant.scope, 3_600);
    await saveRecipient(finance, recipient("0003-3333", "New One"));
    const text = file(
      ...GOOD,
      "0009-9999,001,BRL,10,INV-3,",
      "0001-1111,001,BRL,1.005,INV-4,",
      "0001-1111,001,BRL,10,INV-1,",
      "0001-1111,001,BRL,10,,",
      "0001-1111,001,EUR,10,INV-5,",
      "0001-1111,001,BRL,10,INV-6,Somebody Else",
      "0003-3333,001,BRL,10,INV-7,",
      "0001-1111,001,BRL,99999999,INV-8,",
    );
    const { lines } = await previewBatch(finance, text);
    expect(lines.map(({ line, verdict, message }) => [line, verdict, message])).toEqual([
      [2, "create", null],
      [3, "create", null],
      [4, "rejected", "No saved recipient has this account at this bank in BRL."],
      [5, "rejected", "The amount must be a number such as 1250.50, with the digits BRL has."],
      [6, "rejected", "Line 2 has the same reference."],
      [7, "rejected", "The reference is missing."],
      [8, "rejected", "EUR is not one of your currencies."],
      [9, "rejected", "The account is saved as Ana Souza, not Somebody Else."],
      [
        10,
        "rejected",
        expect.stringMatching(/^The recipient is new and can be paid from 20\d\d-\d\d-\d\d \d\d:\d\d UTC\.$/),
      ],
      [11, "rejected", "The available balance does not cover it."],
    ]);
    expect(await payouts()).toEqual([]);
  });

  it("adds the lines before up: together they must be covered", async () => {
    const all = (OPENING / 100n).toString();
    const { lines } = await previewBatch(finance, file(`0001-1111,001,BRL,${all},A,`, "0001-1111,001,BRL,0.01,B,"));
    expect(lines.map(({ verdict }) => verdict)).toEqual(["create", "rejected"]);
  });

  it("needs the role", async () => {
    const id = await makeMember(merchant.merchantId, `${newId("request")}@shop.example`, "approver");
    const approver = { ...finance, actor: { type: "member", id } } as const;
    await expect(previewBatch(approver, file(...GOOD))).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("a confirmed file", () => {
  it("creates the accepted lines as one batch, and a bad line stops no other", async () => {
    const { id, lines } = await confirm(file(...GOOD, "0009-9999,001,BRL,10,INV-3,"));
    expect(lines.map(({ outcome }) => outcome)).toEqual(["created", "created", "rejected"]);
    const ids = lines.slice(0, 2).map(({ payoutId }) => payoutId);
    expect((await getBatch(merchant.scope, id)).map((one) => one.id)).toEqual(ids);
    expect(await payouts()).toEqual([
      { reference: "INV-1", amount: "125050", approvals: 1, batch: id },
      { reference: "INV-2", amount: "1000", approvals: 1, batch: id },
    ]);
    const [entry] = await query("SELECT action, actor_id, after FROM audit_entry WHERE object_id = $1", id);
    expect(entry).toEqual({
      action: "payout_batch.create",
      actor_id: finance.actor.id,
      after: { file_name: "payouts.csv", lines: 2, approvals_required: 1, sums: { BRL: "126050" } },
    });
  });

  it("creates nothing twice: not by another upload, not by two at once, and completes one that broke off", async () => {
    const first = file(GOOD[0] ?? "");
    await confirm(first);
    const again = await previewBatch(finance, first);
    expect(again.lines.map(({ verdict }) => verdict)).toEqual(["exists"]);
    await expect(confirm(first)).rejects.toMatchObject({ code: "validation_failed" });
    const whole = file(...GOOD);
    const { digest } = await previewBatch(finance, whole);
    const created = await Promise.all(
      [1, 2, 3].map(() => createBatch(finance, { text: whole, name: "payouts.csv", digest }).catch(() => null)),
    );
    const outcomes = created.flatMap(
      (one) => one?.lines.map(({ reference, outcome }) => `${reference} ${outcome}`) ?? [],
    );
    expect(outcomes.filter((one) => one === "INV-2 created")).toHaveLength(1);
    expect((await payouts()).map(({ reference }) => reference)).toEqual(["INV-1", "INV-2"]);
  });

  it("is rejected if its lines are no longer as they were shown", async () => {
    const text = file(...GOOD);
    const { digest } = await previewBatch(finance, text);
    const create = (changed: string) => createBatch(finance, { text: changed, name: "payouts.csv", digest });
    await expect(create(text.replace("10,INV-2", "11,INV-2"))).rejects.toMatchObject({ code: "validation_failed" });
    await confirm(file(GOOD[1] ?? ""));
    await expect(create(text)).rejects.toMatchObject({ code: "validation_failed" });
    expect((await payouts()).map(({ reference }) => reference)).toEqual(["INV-2"]);
  });

  it("takes a reference of another payout for no line", async () => {
    await confirm(file("0001-1111,001,BRL,5,INV-1,"));
    const { lines } = await previewBatch(finance, file(...GOOD));
    expect(lines[0]).toMatchObject({
      verdict: "rejected",
      message: "A payout with this reference exists, with another amount.",
    });
  });

  it("requires of every line what the strictest requires, the day's total counted in order", async () => {
    await adoptPolicy(merchant, {
      defaultApprovals: 1,
      rules: [{ currency: "BRL", dailyTotalAtLeast: 125_100n, approvals: 3 }],
    });
    const { approvalsRequired } = await previewBatch(finance, file(...GOOD));
    expect(approvalsRequired).toBe(3);
    await confirm(file(...GOOD));
    expect((await payouts()).map(({ approvals }) => approvals)).toEqual([3, 3]);
  });
});
