// The calls that specs make as preparation: each expects success and returns the resource.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import type { PaymentMethodList, WalletList } from "@/server/contract/wallets";
import type { Answer, Api, CallOptions } from "../support/api";
import { expect } from "../support/fixtures";
import { paymentBody, payoutBody, topupBody, unused } from "./bodies";

export type AnyIntent = PaymentIntentResource | PayoutIntentResource | TopupIntentResource;

const PATHS = { dord: "/payment_intents", word: "/payout_intents", tuin: "/topup_intents" } as const;

/** The path at which an id of any kind can be read. */
function pathOf(id: string): string {
  return `${PATHS[id.slice(0, 4) as keyof typeof PATHS]}/${id}`;
}

/** The body of an answer that must have this status. */
export function bodyOf<Body>(answer: Answer, status: number): Body {
  expect(answer.status, answer.text).toBe(status);
  return answer.body as Body;
}

/** The error code of an answer that must have this status. */
export function refusalOf(answer: Answer, status: number): { code: string; message: string } {
  return bodyOf<{ error: { code: string; message: string } }>(answer, status).error;
}

/** The statuses of answers to concurrent requests, in ascending order. */
export function statusesOf(answers: readonly Answer[]): number[] {
  return answers.map(({ status }) => status).sort((a, b) => a - b);
}

/** Posts a body verbatim, as JSON unless the headers state another type. */
export function sendText(api: Api, path: string, body: string, options: CallOptions = {}): Promise<Answer> {
  const headers = { "content-type": "application/json", ...options.headers };
  return api.send({ method: "POST", path, headers, body });
}

export async function createPayment(api: Api, changes: Parameters<typeof paymentBody>[0] = {}) {
  return bodyOf<PaymentIntentResource>(await api.post("/payment_intents", paymentBody(changes)), 201);
}

export async function createPayout(api: Api, changes: Parameters<typeof payoutBody>[0] = {}) {
  return bodyOf<PayoutIntentResource>(await api.post("/payout_intents", payoutBody(changes)), 201);
}

export async function createTopup(api: Api, changes: Parameters<typeof topupBody>[0] = {}) {
  const headers = { "idempotency-key": unused("key") };
  return bodyOf<TopupIntentResource>(await api.post("/topup_intents", topupBody(changes), { headers }), 201);
}

export async function cancelPayout(api: Api, id: string, reason?: string) {
  const body = reason === undefined ? {} : { reason };
  return bodyOf<PayoutIntentResource>(await api.post(`/payout_intents/${id}/cancel`, body), 202);
}

export async function read<Intent extends AnyIntent>(api: Api, id: string): Promise<Intent> {
  return bodyOf<Intent>(await api.get(pathOf(id)), 200);
}

export async function simulate<Intent extends AnyIntent>(api: Api, id: string, outcome: string): Promise<Intent> {
  return bodyOf<Intent>(await api.post("/sandbox/simulate", { id, outcome }), 200);
}

/** Available and held minor units of one wallet. */
export async function walletOf(api: Api, currency: string): Promise<{ available: bigint; held: bigint }> {
  const { data } = bodyOf<WalletList>(await api.get("/wallets"), 200);
  const wallet = data.find((one) => one.currency === currency);
  return { available: BigInt(wallet?.available ?? "0"), held: BigInt(wallet?.held ?? "0") };
}

export async function methodCodes(api: Api): Promise<string[]> {
  return bodyOf<PaymentMethodList>(await api.get("/payment_methods"), 200).data.map(({ code }) => code);
}

/** Polls the intent until it has one of the statuses; fails after `withinMs`. */
export async function untilStatus<Intent extends AnyIntent>(
  api: Api,
  id: string,
  statuses: readonly Intent["status"][],
  withinMs = 60_000,
): Promise<Intent> {
  const end = Date.now() + withinMs;
  for (;;) {
    const intent = await read<Intent>(api, id);
    if (statuses.includes(intent.status)) return intent;
    if (Date.now() > end) throw new Error(`${id} is still ${intent.status}, not ${statuses.join(" or ")}`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
