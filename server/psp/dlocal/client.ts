// Calls to dLocal's API: signed headers, and the envelope of errors.
import { z } from "zod";
import { type Answer, createExchange, type Exchange } from "../exchange";
import type { NoObject } from "../readings";
import type { DlocalConfig } from "./config";
import { authorizationOf } from "./signature";
import { API_VERSION, ERRORS } from "./tables";

const envelope = z.object({ code: z.int().nonnegative(), message: z.string().catch("") });

/** An answer of dLocal itself: an object or a list, or an error. `unclear`: anything else. */
export type DlocalAnswer =
  | { readonly kind: "data"; readonly data: unknown }
  | { readonly kind: "error"; readonly status: number; readonly code: number; readonly isAboutSignature: boolean }
  | { readonly kind: "unclear"; readonly why: string; readonly isUnsent: boolean };

export type DlocalClient = (...call: Parameters<Exchange>) => Promise<DlocalAnswer>;

function readAnswer(answer: Answer): DlocalAnswer {
  if ("unclear" in answer) return { kind: "unclear", why: answer.unclear, isUnsent: answer.isUnsent === true };
  const { status, body } = answer;
  if (status === 200 || status === 201) return { kind: "data", data: body };
  const parsed = envelope.safeParse(body);
  if (!parsed.success || status < 400) {
    return { kind: "unclear", why: `an answer with status ${status} that is not dLocal's`, isUnsent: false };
  }
  const { code, message } = parsed.data;
  return { kind: "error", status, code, isAboutSignature: /signature/i.test(message) };
}

/** Returns the client of one account. */
export function createDlocalClient(config: Pick<DlocalConfig, "url" | "account" | "trans_key" | "secret_key">) {
  const { url, account: login, trans_key, secret_key: secretKey } = config;
  const exchange = createExchange(url, ({ body }, at) => {
    const date = at.toISOString();
    return {
      "content-type": "application/json",
      "x-date": date,
      "x-login": login,
      "x-trans-key": trans_key,
      "x-version": API_VERSION,
      authorization: authorizationOf({ login, secretKey }, date, body),
    };
  });
  const client: DlocalClient = async (call, signal) => readAnswer(await exchange(call, signal));
  return client;
}

/** Returns what an error proves, by the table; null for other answers and for errors that have no row. */
export function meaningOf(answer: DlocalAnswer): (typeof ERRORS)[number]["meaning"] | null {
  if (answer.kind !== "error") return null;
  return ERRORS.find(({ status, code }) => status === answer.status && code === answer.code)?.meaning ?? null;
}

/** True if dLocal refused the account's keys or our signature. */
export function isKeyRefusal(answer: DlocalAnswer): boolean {
  return (
    meaningOf(answer) === "wrong_key" || (answer.kind === "error" && answer.code === 5000 && answer.isAboutSignature)
  );
}

/** Reads an answer to a creating call that names no object. */
export function noObject(answer: DlocalAnswer): NoObject {
  const meaning = meaningOf(answer);
  return {
    detail: describe(answer),
    isUnsent: answer.kind === "unclear" && answer.isUnsent,
    isRefusal: meaning === "refused" || meaning === "payer_refused",
  };
}

/** Describes an answer that the adapter cannot use, for staff; contains nothing that dLocal sent but its codes. */
export function describe(answer: DlocalAnswer): string {
  if (answer.kind === "unclear") return answer.why;
  if (answer.kind === "data") return "an answer that is malformed";
  const why = isKeyRefusal(answer) ? ": dLocal refuses the key" : "";
  return `an error with status ${answer.status} and code ${answer.code}${why}`;
}
