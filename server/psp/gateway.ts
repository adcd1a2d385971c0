// The provider port: what every payment service provider adapter must be able to do, in our words.
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";
import type { Customer } from "@/server/domain/payment-intent";
import type { NextActionType, PaymentMethod } from "@/server/domain/payment-methods";
import type { Environment } from "@/server/domain/scope";

interface RequestCore {
  /** The intent's dispatch reference: our name for it at the provider, and the provider's idempotency key. */
  readonly reference: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly createdAt: Date;
}

export interface PaymentRequest extends RequestCore {
  readonly amount: bigint;
  readonly currency: string;
  readonly country: string;
  readonly method: PaymentMethod;
  readonly nextActionType: NextActionType;
  readonly customer: Customer | null;
  readonly expiresAt: Date;
  /** True once a first answer about this payment has been recorded: from then on only news matters. */
  readonly isAnswered: boolean;
  /** Our own payer page for this payment. */
  readonly hostedUrl: string;
}

export interface PayoutRequest extends RequestCore {
  readonly amount: bigint;
  readonly currency: string;
  readonly country: string;
  /** The full account number exists in memory only, for the time of the call. */
  readonly recipient: {
    readonly accountNumber: string;
    readonly bankCode: string;
    readonly holderName: string;
  };
}

/** Asking about a payout needs no account number. */
export type PayoutQuery = Omit<PayoutRequest, "recipient">;

export interface TopupRequest extends RequestCore {
  readonly destinationAmount: bigint;
  readonly destinationCurrency: string;
  readonly sourceAmount: bigint;
  readonly sourceCurrency: string;
  readonly network: string;
  readonly expiresAt: Date;
}

/**
 * A request that creates, with the database's time shortly before its call was announced. An adapter to an external provider
 * must not send it later than `LATEST_SEND_MS` after that, and must let the provider reject it later still.
 */
export type Creation<Request> = Request & { readonly announcedAt: Date };

/** How long after its announcement a call that creates may still be sent, in ms. */
export const LATEST_SEND_MS = 60_000;

/** What a provider charges and pays for one token in one currency. */
export interface TopupOffer {
  /** Destination major units per source major unit, six fraction digits. */
  readonly rate: string;
  readonly feeBasisPoints: number;
  /** Networks the token can be sent on, the default first. */
  readonly networks: readonly string[];
}

/**
 * One provider. `create…` sends once; a provider answers an equal reference with its first result. `query…` reports
 * everything the provider knows, oldest first, and `never_accepted` only when it is certain never to have accepted it.
 * Both answer `unknown` instead of throwing; the signal aborts them. `at` is the merchant's time, for a provider that is
 * only played: what an external one answers depends on its own.
 *
 * `cancel…` closes an unpaid intent, so that nothing can be paid for it afterwards, and answers with its state then: `expired`
 * or `cancelled` once it is closed, anything else when it was too late. Absent where the provider cannot close it. A repeat
 * is harmless.
 */
export interface Gateway {
  readonly name: string;
  offersPayment(method: PaymentMethod, environment: Environment): boolean;
  offersPayout(currency: string, environment: Environment): boolean;
  /** Null when the provider does not convert this token into this currency. */
  quoteTopup(
    source: string,
    destination: string,
    environment: Environment,
    signal: AbortSignal,
  ): Promise<TopupOffer | null>;
  createPayment(request: Creation<PaymentRequest>, signal: AbortSignal): Promise<PaymentOutcome>;
  queryPayment(request: PaymentRequest, signal: AbortSignal, at: Date): Promise<readonly PaymentOutcome[]>;
  readonly cancelPayment?: ((request: PaymentRequest, signal: AbortSignal) => Promise<PaymentOutcome>) | undefined;
  createPayout(request: Creation<PayoutRequest>, signal: AbortSignal): Promise<PayoutOutcome>;
  queryPayout(request: PayoutQuery, signal: AbortSignal, at: Date): Promise<readonly PayoutOutcome[]>;
  createTopup(request: Creation<TopupRequest>, signal: AbortSignal): Promise<TopupOutcome>;
  queryTopup(request: TopupRequest, signal: AbortSignal, at: Date): Promise<readonly TopupOutcome[]>;
  readonly cancelTopup?: ((request: TopupRequest, signal: AbortSignal) => Promise<TopupOutcome>) | undefined;
}

/** News a provider sent by itself, verified by its adapter; `outcomes` are read by the kind of the reference's prefix. */
interface ProviderNews {
  readonly callbackId: string;
  readonly merchantId: string;
  readonly reference: string;
  readonly outcomes: readonly (PaymentOutcome | PayoutOutcome | TopupOutcome)[];
}

/** A callback as its provider's adapter reads it; `why` is for people and repeats no value of the body. */
export type CallbackReading =
  | ({ readonly kind: "news" } & ProviderNews)
  | {
      readonly kind: "unreadable";
      readonly why: string;
      /** What it names all the same, where that can be read. */
      readonly merchantId: string | null;
      readonly reference: string | null;
    };

/** A gateway that also receives callbacks over HTTP. */
export interface CallbackReceiver {
  /** Verifies the signature over the raw body; null when it is missing, forged or stale. */
  verifyCallback(headers: Pick<Headers, "get">, rawBody: string, now: Date): { readonly callbackId: string } | null;
  /** Reads a verified body. */
  readCallback(rawBody: string): CallbackReading;
}
