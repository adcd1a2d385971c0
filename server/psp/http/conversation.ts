// Creates, queries and cancels one intent at an external provider, and decides what counts as an answer.
import type { z } from "zod";
import type { NeverAccepted, NotSent, Unknown } from "@/server/domain/outcome";
import type { Answer, Call, Exchange } from "../exchange";
import { unknown } from "./reports";
import { errorBody, type WireError } from "./wire";

/** One intent with the requests and reports of its kind. */
export interface Subject<Report extends { readonly reference: string }, Outcome> {
  readonly path: "/v1/payments" | "/v1/payouts" | "/v1/topups" | "/v1/refunds";
  readonly reference: string;
  readonly schema: z.ZodType<Report>;
  outcome(report: Report): Outcome | Unknown;
  /** Returns the outcome of a definite rejection, or null if its code does not apply to this kind. */
  refusal(error: WireError): Outcome | null;
}

const SUCCESS = new Set([200, 201, 202]);
/** These statuses ask for a retry; the outcome stays open whatever their body contains. */
const COME_AGAIN = new Set([408, 409, 425, 429]);

const INEXPRESSIBLE: NeverAccepted = {
  kind: "never_accepted",
  detail: "not sent: the provider's minor units cannot express the sum",
};

/** Sends the intent. A null body means that the amount cannot be expressed; nothing is sent. */
export async function create<Report extends { readonly reference: string }, Outcome>(
  exchange: Exchange,
  subject: Subject<Report, Outcome>,
  { body, announcedAt }: { readonly body: object | null; readonly announcedAt: Date },
  signal: AbortSignal,
): Promise<Outcome | NeverAccepted | NotSent | Unknown> {
  if (body === null) return INEXPRESSIBLE;
  const answer = await exchange(
    { method: "POST", path: subject.path, body, idempotencyKey: subject.reference, announcedAt },
    signal,
  );
  if ("unclear" in answer) {
    return answer.isUnsent ? { kind: "not_sent", detail: answer.unclear } : unknown(answer.unclear);
  }
  const error = protocolError(answer);
  if (error?.code === "not_accepted") return { kind: "never_accepted", detail: "the provider did not accept it" };
  return (error && subject.refusal(error)) ?? read(answer, subject);
}

/** Queries the intent's state. */
export async function query<Report extends { readonly reference: string }, Outcome>(
  exchange: Exchange,
  subject: Subject<Report, Outcome>,
  signal: AbortSignal,
): Promise<(Outcome | NeverAccepted | Unknown)[]> {
  return [await report(exchange, subject, { method: "GET", path: pathOf(subject) }, signal)];
}

/**
 * Closes the unpaid intent and returns its state. The call has no idempotency key: a repeat is harmless and must return
 * the current state.
 */
export function cancel<Report extends { readonly reference: string }, Outcome>(
  exchange: Exchange,
  subject: Subject<Report, Outcome>,
  signal: AbortSignal,
): Promise<Outcome | NeverAccepted | Unknown> {
  return report(exchange, subject, { method: "POST", path: `${pathOf(subject)}/cancel` }, signal);
}

function pathOf({ path, reference }: Pick<Subject<never, never>, "path" | "reference">): string {
  return `${path}/${encodeURIComponent(reference)}`;
}

/** The report that answers a call about an intent that was sent. */
async function report<Report extends { readonly reference: string }, Outcome>(
  exchange: Exchange,
  subject: Subject<Report, Outcome>,
  call: Call,
  signal: AbortSignal,
): Promise<Outcome | NeverAccepted | Unknown> {
  const answer = await exchange(call, signal);
  if ("unclear" in answer) return unknown(answer.unclear);
  if (answer.status === 404 && protocolError(answer)?.code === "unknown_reference") {
    return { kind: "never_accepted", detail: "the provider does not know the reference" };
  }
  return read(answer, subject);
}

type Clear = Exclude<Answer, { readonly unclear: string }>;

/** Returns the protocol's error in a 4xx answer, or null if the answer is not a definite error. */
export function protocolError({ status, body }: Clear): WireError | null {
  if (status < 400 || status >= 500 || COME_AGAIN.has(status)) return null;
  const parsed = errorBody.safeParse(body);
  return parsed.success ? parsed.data.error : null;
}

function read<Report extends { readonly reference: string }, Outcome>(
  { status, body }: Clear,
  subject: Subject<Report, Outcome>,
): Outcome | Unknown {
  if (!SUCCESS.has(status)) return unknown(`an answer with status ${status}`);
  const parsed = subject.schema.safeParse(body);
  if (!parsed.success)
    return unknown(`a report that is malformed at ${parsed.error.issues[0]?.path.join(".") || "its top"}`);
  if (parsed.data.reference !== subject.reference) return unknown("a report on another reference");
  return subject.outcome(parsed.data);
}
