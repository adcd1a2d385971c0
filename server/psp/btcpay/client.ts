// Calls to the Greenfield API of one store: the key, and the two forms of errors.
import { z } from "zod";
import { type Answer, type Call, createExchange } from "../exchange";
import type { NoObject } from "../readings";
import type { BtcpayConfig } from "./config";
import { type CALLS, REFUSALS } from "./tables";

const problem = z.object({ code: z.string(), message: z.string() });
/** Faults of a request's members. */
const validation = z.array(z.object({ path: z.string(), message: z.string() })).min(1);

/** An answer of BTCPay itself: an object or a list, or an error. `unclear`: anything else. */
export type BtcpayAnswer =
  | { readonly kind: "data"; readonly data: unknown }
  | { readonly kind: "error"; readonly status: number; readonly code: string }
  | { readonly kind: "unclear"; readonly why: string; readonly isUnsent: boolean };

interface BtcpayCall extends Pick<Call, "body" | "announcedAt"> {
  /** Of an address that names one. */
  readonly invoiceId?: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** Makes one of the calls, about the configured store. */
export type BtcpayClient = (
  call: (typeof CALLS)[keyof typeof CALLS],
  about: BtcpayCall,
  signal: AbortSignal,
) => Promise<BtcpayAnswer>;

function readAnswer(answer: Answer): BtcpayAnswer {
  if ("unclear" in answer) return { kind: "unclear", why: answer.unclear, isUnsent: answer.isUnsent === true };
  const { status, body } = answer;
  if (status === 200) return { kind: "data", data: body };
  const why = `an answer with status ${status} that is not BTCPay's`;
  if (status < 400) return { kind: "unclear", why, isUnsent: false };
  if (validation.safeParse(body).success) return { kind: "error", status, code: "validation" };
  const parsed = problem.safeParse(body);
  return parsed.success ? { kind: "error", status, code: parsed.data.code } : { kind: "unclear", why, isUnsent: false };
}

/** Returns the client of one store. */
export function createBtcpayClient({
  url,
  secret_key,
  account,
}: Pick<BtcpayConfig, "url" | "secret_key" | "account">): BtcpayClient {
  const authorization = `token ${secret_key}`;
  const exchange = createExchange(url, () => ({ authorization }));
  return async ({ method, path }, { invoiceId = "", query, ...sent }, signal) => {
    const names = { storeId: account, invoiceId };
    const address = path.replace(/\{(storeId|invoiceId)\}/g, (_all, name: keyof typeof names) =>
      encodeURIComponent(names[name]),
    );
    const parameters = query ? `?${new URLSearchParams(query)}` : "";
    return readAnswer(await exchange({ method, path: address + parameters, ...sent }, signal));
  };
}

/** Reads an answer to a creation that names no invoice. */
export function noInvoice(answer: BtcpayAnswer): NoObject {
  return {
    detail: describe(answer),
    isUnsent: answer.kind === "unclear" && answer.isUnsent,
    isRefusal: answer.kind === "error" && REFUSALS[answer.status] !== undefined,
  };
}

/** Describes an answer that the adapter cannot use, for staff; contains nothing that BTCPay sent but its codes. */
export function describe(answer: BtcpayAnswer): string {
  if (answer.kind === "unclear") return answer.why;
  if (answer.kind === "data") return "an answer that is malformed";
  return `an error with status ${answer.status} and code ${answer.code.slice(0, 64)}`;
}
