// What stands beside entries by hand: reports of the scripted provider, and lines of its settlement files.
import { asMember } from "@/server/cli/acting-as";
import type { StoredException } from "@/server/db/exceptions";
import type { CallContext } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { type CallbackBody, sendCallback } from "@/server/testing/callbacks";
import { makeMember, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { applyDueCallbacks } from "../../callbacks/receive-callback";
import { listExceptionsAcrossMerchants } from "../../exceptions/list";
import { withoutIdempotency } from "../../idempotency/completion";
import { createPaymentIntent } from "../../payments/create";
import { createPayoutIntent } from "../../payouts/create";
import { reconcile } from "../../reconciliation/reconcile";
import { previewUpload, storeUpload } from "../../reconciliation/upload";
import { balancesOf, type Stage } from "./entries";

/** What names an intent to its provider. */
export interface Named {
  readonly merchantId: string;
  readonly id: string;
  readonly dispatchReference: string;
}

/** Sends a callback and applies it. */
export async function report(intent: Named, news: CallbackBody): Promise<void> {
  await sendCallback(intent, news);
  await applyDueCallbacks(1_000, 30_000);
}

export const reportPaid = (intent: Named, amount = "1050", more: Partial<CallbackBody> = {}) =>
  report(intent, { status: "succeeded", amount, currency: "BRL", ...more });

/** A payment of 10.50 BRL that its provider has declined, or has still in progress. */
export async function makePayment({ merchant, provider }: Stage, end: "declined" | "pending") {
  provider.answer = { kind: end, message: null, providerReference: null } as typeof provider.answer;
  return (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent;
}

/** A payment of 10.50 BRL that its provider has reported paid. */
export async function makePaid(stage: Stage) {
  const intent = await makePayment(stage, "pending");
  await reportPaid(intent);
  return intent;
}

/** A payout of 250.00 BRL that its provider has, and reports about it. */
export async function makePayout({ merchant, provider }: Stage) {
  provider.answer = { kind: "pending", providerReference: null };
  const { intent } = await createPayoutIntent(merchant.context, payout({ amount: "25000" }), withoutIdempotency());
  const tell = (status: string, amount: string | null = null, reference = "psp-1") =>
    report(intent, { status, provider_reference: reference, ...(amount !== null && { amount, currency: "BRL" }) });
  return { intent, tell };
}

/** Open exceptions of the merchant, or of nobody for an empty id. */
export async function openExceptions(merchantId: string): Promise<readonly StoredException[]> {
  return (await listExceptionsAcrossMerchants({ merchantId, openOnly: true })).exceptions;
}

export const openKinds = async (merchantId: string): Promise<string[]> =>
  (await openExceptions(merchantId)).map(({ kind }) => kind).sort();

/** The id of the open exception about the line; empty if there is none. */
export async function exceptionOfLine(merchantId: string, kind: string, lineId: string): Promise<string> {
  const exceptions = await openExceptions(merchantId);
  return exceptions.find((one) => one.kind === kind && one.detail["line_id"] === lineId)?.id ?? "";
}

/** What the provider owes the merchant is below zero. */
export const clearingOf = async (merchant: TestMerchant): Promise<bigint> =>
  (await balancesOf(merchant))["provider_clearing:scripted"] ?? 0n;

/** The operator's act in the name of a member. */
export async function operatorFor({ merchantId, scope }: TestMerchant): Promise<CallContext> {
  const email = `f-${newId("request")}@shop.example`;
  await makeMember(merchantId, email, "finance");
  return asMember(scope, email);
}

interface Line {
  readonly lineId: string;
  readonly kind: string;
  readonly amount: number | bigint;
  readonly reference?: string;
  readonly providerReference?: string;
  readonly currency?: string;
  readonly fee?: number;
  readonly batch?: string;
}

const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
const textOf = (rows: readonly string[]) => `${[HEADER, ...rows].join("\n")}\n`;

/** A row of a file, settled just now. A provider that says the same again repeats the row. */
export function row({ lineId, kind, amount, ...more }: Line): string {
  const { reference = "", providerReference = "px", currency = "BRL", fee = "", batch = "" } = more;
  const settledAt = new Date(now().getTime() - 1_000).toISOString();
  return [lineId, kind, reference, providerReference, amount, currency, fee, settledAt, batch].join(",");
}

function importText(text: string, time: { readonly from: Date | null; readonly to: Date | null }) {
  const name = `${newId("event")}.csv`;
  return reconcile({
    provider: "scripted",
    environment: "live",
    name,
    bytes: new TextEncoder().encode(text),
    ...time,
  });
}

/** The operator imports a file of the time around now: what it lacks is missing. */
export const importRows = (...rows: readonly string[]) =>
  importText(textOf(rows), { from: new Date(now().getTime() - 600_000), to: new Date(now().getTime() + 60_000) });

/** The operator imports a file that may be a part: what it lacks is not missing. */
export const importPart = (...rows: readonly string[]) => importText(textOf(rows), { from: null, to: null });

/** The operator imports a file of the time around now that has nothing of any merchant. */
export const importNothing = () => importRows(row({ lineId: newId("event"), kind: "fee", amount: 1 }));

/** A member of the merchant uploads a file. */
export async function uploadRows({ merchantId, context }: TestMerchant, ...rows: readonly string[]): Promise<void> {
  const id = await makeMember(merchantId, `f-${newId("request")}@shop.example`, "finance");
  const member = { ...context, actor: { type: "member", id } } as const;
  const file = { provider: "scripted", name: "a.csv", text: textOf(rows) };
  const { digest } = await previewUpload(member, file);
  await storeUpload(member, { ...file, digest });
}
