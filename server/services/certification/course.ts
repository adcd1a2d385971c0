// What the parts of a certification share: the provider under test, its requests, calls with a deadline, and waiting.
import { setTimeout as sleep } from "node:timers/promises";
import { fromMajorUnits } from "@/server/domain/money";
import type { PaymentNextAction, TopupNextAction } from "@/server/domain/next-action";
import type { PaymentOutcome, PayoutOutcome, ProviderSum, TopupOutcome } from "@/server/domain/outcome";
import type { PaymentMethod } from "@/server/domain/payment-methods";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { withDeadline } from "@/server/psp/deadline";
import type {
  Creation,
  Gateway,
  PaymentRequest,
  PayoutRequest,
  RefundRequest,
  TopupRequest,
} from "@/server/psp/gateway";
import type { CallbackInbox } from "./inbox";
import type { RunStep } from "./step";

/** What a person, or the sandbox, must do now. */
export type Instruction =
  | {
      readonly kind: "pay";
      /** A payment method, or the subject of a top-up. */
      readonly method: string;
      readonly reference: string;
      readonly sum: ProviderSum;
      readonly nextAction: PaymentNextAction | TopupNextAction | null;
    }
  | { readonly kind: "settle"; readonly currency: string; readonly reference: string; readonly sum: ProviderSum };

export interface Recipient {
  readonly accountNumber: string;
  readonly bankCode: string;
  readonly holderName: string;
}

/** The part of a certification that its user chooses. */
export interface CourseOptions {
  /** How long to wait for a payer, for the end of a payout and for callbacks, in ms. */
  readonly waitMs: number;
  /** How long the payment lasts that nobody pays, in ms; null to leave that step out. */
  readonly expiryMs: number | null;
  /** Pause between polls, in ms. */
  readonly pollMs: number;
  /** Null where nothing receives callbacks. */
  readonly inbox: CallbackInbox | null;
  /** Null where no account of the sandbox is known. */
  readonly recipient: Recipient | null;
  readonly payerEmail: string;
  /** The payer's document; null where the provider demands none. */
  readonly payerDocument: string | null;
  readonly baseUrl: string;
  /** Ends waiting early. */
  readonly signal: AbortSignal;
  /** Called with what a person must do. */
  tell(instruction: Instruction): void;
}

export interface Course extends CourseOptions {
  readonly gateway: Gateway;
  /** The same provider with a secret key that it does not know. */
  readonly wrongKey: Gateway;
  /** The sub-account that is used: the first one of an entry with some. */
  readonly subAccount: string | null;
  readonly step: RunStep;
}

/** Sandboxes are slower than the real services. */
const CALL_WITHIN_MS = 20_000;
/** In major units: more than the smallest and less than the largest sum of providers' methods. */
const MAJOR_UNITS = 200n;

export type Outcome = PaymentOutcome | PayoutOutcome | TopupOutcome;

const NO_ANSWER = { kind: "unknown", detail: "no answer in time" } as const;

/** Asks the provider about its account; null without an answer in time. */
export function ask<Answer>(make: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | null> {
  return withDeadline<Answer | null>(CALL_WITHIN_MS, make, () => null);
}

/** Makes one call about one object. */
export function call<Answer extends Outcome>(make: (signal: AbortSignal) => Promise<Answer>) {
  return withDeadline<Answer | typeof NO_ANSWER>(CALL_WITHIN_MS, make, () => NO_ANSWER);
}

/** Makes one poll; returns what it says about the object. */
export function poll<Answer extends Outcome>(make: (signal: AbortSignal) => Promise<readonly Answer[]>) {
  return withDeadline<readonly (Answer | typeof NO_ANSWER)[]>(CALL_WITHIN_MS, make, () => [NO_ANSWER]);
}

/** Repeats a look until it returns something, the time is over or the course ends; null in the latter cases. */
export async function until<Found>(
  { waitMs, pollMs, signal }: CourseOptions,
  look: () => Promise<Found | null> | Found | null,
): Promise<Found | null> {
  const endsAt = performance.now() + waitMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (signal.aborted || performance.now() >= endsAt) return null;
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns a new payment, which expires after the given time in ms, or after the method's own. */
export function newPayment(
  { payerEmail, payerDocument, baseUrl, subAccount }: Omit<Course, "step" | "wrongKey">,
  method: PaymentMethod,
  windowMs = method.expiresInSeconds * 1_000,
): PaymentRequest {
  const reference = newId("paymentIntent");
  const createdAt = now();
  const { currency, country, nextActionType } = method;
  return {
    reference,
    merchantId: newId("merchant"),
    environment: "test",
    createdAt,
    amount: fromMajorUnits(MAJOR_UNITS, currency),
    currency,
    country,
    method,
    nextActionType,
    customer: {
      name: "Sluice Certification",
      email: payerEmail,
      ...(payerDocument === null ? {} : { document: payerDocument }),
    },
    expiresAt: new Date(createdAt.getTime() + windowMs),
    isAnswered: false,
    hostedUrl: `${baseUrl}/pay/${reference}`,
    subAccount,
  };
}

/** Returns a new payout. The adapters read the country from the currency. */
export function newPayout(
  { subAccount }: Pick<Course, "subAccount">,
  recipient: Recipient,
  currency: string,
): PayoutRequest {
  return {
    reference: newId("payoutIntent"),
    merchantId: newId("merchant"),
    environment: "test",
    createdAt: now(),
    amount: fromMajorUnits(MAJOR_UNITS, currency),
    currency,
    country: currency.slice(0, 2),
    recipient,
    subAccount,
  };
}

/** Returns the request for a creating call that is made now. */
export function announced<Request extends PaymentRequest | PayoutRequest | RefundRequest | TopupRequest>(
  request: Request,
): Creation<Request> {
  return { ...request, announcedAt: now() };
}

/** Returns the request as it is after an earlier call about it. */
export function afterCall<Request extends PaymentRequest | PayoutRequest | RefundRequest | TopupRequest>(
  { gateway }: Pick<Course, "gateway">,
  request: Request,
  providerReference: string | null,
): Request {
  return { ...request, earlier: { providerReference, account: gateway.account ?? null } };
}

/** Returns the provider's reference in an outcome, or null. */
export function referenceIn(outcome: Outcome): string | null {
  return "providerReference" in outcome ? outcome.providerReference : null;
}

/** Describes an outcome for the report. */
export function described(outcome: Outcome): string {
  return "detail" in outcome ? `${outcome.kind}: ${outcome.detail}` : outcome.kind;
}

/** Returns what an outcome says about a sum that differs from the requested one, or null. */
export function otherSum(outcome: Outcome, asked: ProviderSum): string | null {
  const said = ["amount" in outcome ? outcome : null, "intended" in outcome ? (outcome.intended ?? null) : null].filter(
    (sum) => sum !== null,
  );
  const other = said.find(({ amount, currency }) => amount !== asked.amount || currency !== asked.currency);
  return other
    ? `asked for ${asked.amount} ${asked.currency} (minor units), the provider says ${other.amount} ${other.currency}`
    : null;
}

/** Outcomes that say nothing about the object. */
const SILENT: ReadonlySet<Outcome["kind"]> = new Set(["unknown", "not_sent", "never_accepted"]);

export function isSilent({ kind }: Outcome): boolean {
  return SILENT.has(kind);
}
