// Calls to Stripe's API: key, version of the API, form encoding, and the envelope of errors.
import { z } from "zod";
import { type Answer, type Call, createExchange } from "../exchange";
import type { StripeConfig } from "./config";
import { encodeForm, type FormMembers } from "./form";
import { REFUSAL, SDK } from "./tables";

/** A page of 100 objects. */
const MAXIMUM_ANSWER_BYTES = 2 * 1024 * 1024;

const envelope = z.object({
  error: z.object({
    type: z.string(),
    code: z.string().nullish(),
    payment_intent: z.unknown().optional(),
  }),
});

/** An answer of Stripe: an object, an error, or anything else. `created` is true if the error shows an object. */
export type StripeAnswer =
  | { readonly kind: "data"; readonly data: unknown }
  | {
      readonly kind: "error";
      readonly status: number;
      readonly type: string;
      readonly code: string | null;
      readonly created: boolean;
    }
  | { readonly kind: "unclear"; readonly why: string; readonly isUnsent: boolean };

/** One call; `params` are the body of a POST or the query of a GET. */
interface StripeCall extends Pick<Call, "method" | "path" | "idempotencyKey" | "announcedAt"> {
  readonly params?: FormMembers;
}

export type StripeClient = (call: StripeCall, signal: AbortSignal) => Promise<StripeAnswer>;

function readAnswer(answer: Answer): StripeAnswer {
  if ("unclear" in answer) return { kind: "unclear", why: answer.unclear, isUnsent: answer.isUnsent === true };
  const { status, body } = answer;
  if (status === 200) return { kind: "data", data: body };
  const parsed = envelope.safeParse(body);
  if (!parsed.success || status < 400) {
    return { kind: "unclear", why: `an answer with status ${status} that is not Stripe's`, isUnsent: false };
  }
  const { type, code, payment_intent } = parsed.data.error;
  return { kind: "error", status, type, code: code ?? null, created: payment_intent !== undefined };
}

/** Returns the client of one account, or of a connected account of it. The body of a call depends only on its parameters, so a repeat is byte-equal. */
export function createStripeClient(
  { url, secret_key }: Pick<StripeConfig, "url" | "secret_key">,
  subAccount: string | null,
): StripeClient {
  const headers = {
    authorization: `Bearer ${secret_key}`,
    "stripe-version": SDK.apiVersion,
    ...(subAccount === null ? {} : { "stripe-account": subAccount }),
  };
  const exchange = createExchange(url, () => headers, MAXIMUM_ANSWER_BYTES);
  return async ({ method, path, params, idempotencyKey, announcedAt }, signal) => {
    const encoded = params === undefined ? "" : encodeForm(params);
    const call: Call = {
      method,
      path: method === "GET" && encoded !== "" ? `${path}?${encoded}` : path,
      ...(method === "POST" ? { form: encoded } : {}),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      ...(announcedAt === undefined ? {} : { announcedAt }),
    };
    return readAnswer(await exchange(call, signal));
  };
}

/** True for an error that proves that the call created nothing. */
export function isRefusal(answer: StripeAnswer): boolean {
  return answer.kind === "error" && answer.status === REFUSAL.status && answer.type === REFUSAL.type && !answer.created;
}

/** Describes an answer that the adapter cannot use, for staff; contains nothing that Stripe sent but its codes. */
export function describe(answer: StripeAnswer): string {
  if (answer.kind === "unclear") return answer.why;
  if (answer.kind === "data") return "an answer that is malformed";
  return `an error with status ${answer.status} and code ${(answer.code ?? answer.type).slice(0, 64)}`;
}
