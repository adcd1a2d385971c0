// Calls to Xendit's API: the secret key, and the envelope of errors.
import { z } from "zod";
import { type Answer, createExchange, type Exchange } from "../exchange";
import type { NoObject } from "../readings";
import type { XenditConfig } from "./config";
import { NOT_FOUND, REFUSALS } from "./tables";

/** Payments name the text of an error `message`, payouts `error_message`; the code is enough. */
const envelope = z.object({ error_code: z.string() });

/** An answer of Xendit itself: an object or a list, or an error. `unclear`: anything else. */
export type XenditAnswer =
  | { readonly kind: "data"; readonly data: unknown }
  | { readonly kind: "error"; readonly status: number; readonly code: string }
  | { readonly kind: "unclear"; readonly why: string; readonly isUnsent: boolean };

export type XenditClient = (...call: Parameters<Exchange>) => Promise<XenditAnswer>;

function readAnswer(answer: Answer): XenditAnswer {
  if ("unclear" in answer) return { kind: "unclear", why: answer.unclear, isUnsent: answer.isUnsent === true };
  const { status, body } = answer;
  if (status === 200 || status === 201) return { kind: "data", data: body };
  const parsed = envelope.safeParse(body);
  return parsed.success && status >= 400
    ? { kind: "error", status, code: parsed.data.error_code }
    : { kind: "unclear", why: `an answer with status ${status} that is not Xendit's`, isUnsent: false };
}

/** Returns the client of one business, or of a sub-account of it. */
export function createXenditClient(
  { url, secret_key }: Pick<XenditConfig, "url" | "secret_key">,
  subAccount: string | null,
): XenditClient {
  const authorization = `Basic ${Buffer.from(`${secret_key}:`).toString("base64")}`;
  const headers = { authorization, ...(subAccount === null ? {} : { "for-user-id": subAccount }) };
  const exchange = createExchange(url, () => headers);
  return async (call, signal) => readAnswer(await exchange(call, signal));
}

/** True for the error of an unknown id. */
export function isNotFound(answer: XenditAnswer): boolean {
  return answer.kind === "error" && answer.status === 404 && Object.hasOwn(NOT_FOUND, answer.code);
}

/** Reads an answer to a creating call that names no object. */
export function noObject(answer: XenditAnswer, kind: keyof typeof REFUSALS): NoObject {
  return {
    detail: describe(answer),
    isUnsent: answer.kind === "unclear" && answer.isUnsent,
    isRefusal: answer.kind === "error" && answer.status === 400 && Object.hasOwn(REFUSALS[kind], answer.code),
  };
}

/** Describes an answer that the adapter cannot use, for staff; contains nothing that Xendit sent but its codes. */
export function describe(answer: XenditAnswer): string {
  if (answer.kind === "unclear") return answer.why;
  if (answer.kind === "data") return "an answer that is malformed";
  return `an error with status ${answer.status} and code ${answer.code.slice(0, 64)}`;
}
