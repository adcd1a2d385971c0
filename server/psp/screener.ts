// The operator's screener: says whether a payout may be sent, over HTTP with the signature of the provider protocol.
import { z } from "zod";
import type { Environment } from "@/server/domain/scope";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { withDeadline } from "./deadline";
import { type Answer, createExchange, type Exchange } from "./exchange";
import { signWith } from "./http/signature";

/** What the screener is told. `amount` is in minor units. */
export interface ScreeningRequest {
  readonly payoutId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly amount: bigint;
  readonly currency: string;
  readonly country: string;
  readonly merchantReference: string;
  readonly createdAt: Date;
  readonly recipient: { readonly accountNumber: string; readonly bankCode: string; readonly holderName: string };
}

/** A text without what the database cannot store, so that a verdict is never lost over its reason. */
const storable = (longest: number) =>
  z
    .string()
    .transform((text) => text.replaceAll("\0", "").toWellFormed().trim())
    .pipe(z.string().max(longest));

const answerSchema = z.object({
  payout_id: z.string(),
  verdict: z.enum(["allow", "hold", "refuse"]),
  reason: storable(512).nullish(),
  reference: storable(255).nullish(),
});

export interface ScreenerAnswer {
  readonly verdict: "allow" | "hold" | "refuse";
  readonly reason: string | null;
  readonly reference: string | null;
}

const shared = globalThis as typeof globalThis & { sluiceScreener?: { readonly url: string; readonly call: Exchange } };

function exchangeWith(url: string, secret: string): Exchange {
  if (shared.sluiceScreener?.url !== url) shared.sluiceScreener = { url, call: createExchange(url, signWith(secret)) };
  return shared.sluiceScreener.call;
}

/** True if the operator has configured a screener. */
export function isScreening(): boolean {
  return env().screener !== null;
}

/**
 * Asks the screener; the request can be repeated, with the payout's id as its idempotency key. Returns null for anything but
 * a complete answer about this payout within the deadline of providers: silence allows nothing.
 */
export async function askScreener(request: ScreeningRequest): Promise<ScreenerAnswer | null> {
  const { screener, providerDeadlineMs } = env();
  if (screener === null) return null;
  const exchange = exchangeWith(screener.url, screener.secret);
  const call = {
    method: "POST",
    path: "/v1/screenings",
    body: bodyOf(request),
    idempotencyKey: request.payoutId,
  } as const;
  const late = (): Answer => ({ unclear: "no answer in time" });
  const answer = await withDeadline<Answer>(providerDeadlineMs, (signal) => exchange(call, signal), late);
  const why = "unclear" in answer ? answer.unclear : answer.status === 200 ? null : `status ${answer.status}`;
  const parsed = "unclear" in answer || why !== null ? null : answerSchema.safeParse(answer.body).data;
  if (parsed?.payout_id !== request.payoutId) {
    log().warn({ payoutId: request.payoutId, why: why ?? "not an answer about this payout" }, "a screening failed");
    return null;
  }
  return { verdict: parsed.verdict, reason: parsed.reason ?? null, reference: parsed.reference ?? null };
}

function bodyOf({ recipient, ...payout }: ScreeningRequest) {
  return {
    payout_id: payout.payoutId,
    merchant_id: payout.merchantId,
    environment: payout.environment,
    amount: payout.amount.toString(),
    currency: payout.currency,
    country: payout.country,
    merchant_reference: payout.merchantReference,
    created_at: payout.createdAt.toISOString(),
    recipient: {
      account_number: recipient.accountNumber,
      bank_code: recipient.bankCode,
      holder_name: recipient.holderName,
    },
  };
}
