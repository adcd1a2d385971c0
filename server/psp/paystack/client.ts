// Calls to Paystack's API: the secret key, and the envelope of every answer.
import { z } from "zod";
import type { Answer, Exchange } from "../exchange";

const envelope = z.object({
  status: z.boolean(),
  message: z.string(),
  code: z.string().nullish(),
  data: z.unknown().optional(),
});

/** An answer of Paystack itself: `data` of a success, or the error. `unclear`: anything else. */
export type PaystackAnswer =
  | { readonly kind: "data"; readonly data: unknown }
  | { readonly kind: "error"; readonly status: number; readonly code: string | null; readonly message: string }
  | { readonly kind: "unclear"; readonly why: string; readonly isUnsent: boolean };

/** Reads an answer; an envelope that contradicts its HTTP status is unclear. */
function readAnswer(answer: Answer): PaystackAnswer {
  if ("unclear" in answer) return { kind: "unclear", why: answer.unclear, isUnsent: answer.isUnsent === true };
  const { status, body } = answer;
  const unclear = (why: string) => ({ kind: "unclear", why, isUnsent: false }) as const;
  const parsed = envelope.safeParse(body);
  if (!parsed.success) return unclear(`an answer with status ${status} without Paystack's envelope`);
  const { data } = parsed;
  if ((status === 200 || status === 201) && data.status) return { kind: "data", data: data.data };
  if (data.status || status < 400) return unclear(`an answer with status ${status} that contradicts its envelope`);
  return { kind: "error", status, code: data.code ?? null, message: data.message };
}

/** True for an error that one of the rows describes. */
export function isDescribedBy(
  rows: readonly { readonly code: string | null; readonly message: string | null }[],
  answer: PaystackAnswer,
): boolean {
  if (answer.kind !== "error" || (answer.status !== 400 && answer.status !== 404)) return false;
  return rows.some(({ code, message }) =>
    answer.code === null || code === null ? message !== null && answer.message === message : answer.code === code,
  );
}

/** Describes an answer that the adapter cannot use, for staff; contains nothing that Paystack sent but its codes. */
export function describe(answer: PaystackAnswer): string {
  if (answer.kind === "unclear") return answer.why;
  if (answer.kind === "data") return "an answer that is malformed";
  return `an error with status ${answer.status}${answer.code === null ? "" : ` and code ${answer.code.slice(0, 64)}`}`;
}

/** Makes calls with the envelope read. */
export type PaystackClient = (...call: Parameters<Exchange>) => Promise<PaystackAnswer>;

/** Returns a client over the exchange. */
export function createClient(exchange: Exchange): PaystackClient {
  return async (call, signal) => readAnswer(await exchange(call, signal));
}

/** An integer of a JSON answer, which must be exact: a sum in minor units or an id. */
export const exactInteger = z.number().refine((value) => Number.isSafeInteger(value) && value >= 0);
