// The provider port: the interface of every payment service provider adapter, in our terms.
import type { PaymentOutcome, PayoutOutcome, ProviderSum, RefundOutcome, TopupOutcome } from "@/server/domain/outcome";
import type { Customer, CustomerField } from "@/server/domain/payment-intent";
import type { NextActionType, PaymentMethod } from "@/server/domain/payment-methods";
import type { RoutedKind } from "@/server/domain/routing";
import type { Environment } from "@/server/domain/scope";

/** What is recorded of earlier calls about an intent to the same provider, if one of them can have arrived. */
export interface EarlierCalls {
  /** The provider's own reference of the last answer that named one. */
  readonly providerReference: string | null;
  /** The account at the provider that the calls used; null if the adapter does not name accounts. */
  readonly account: string | null;
}

/** What a call about an intent shares with the calls before it. */
export interface CallHistory {
  /** Absent before a call can have reached the provider. A creation with earlier calls repeats them. */
  readonly earlier?: EarlierCalls | undefined;
  /**
   * The merchant's account under the provider's account, where the provider keeps one for each merchant: its own balance, objects
   * and references. Null for the provider's account itself. It stays as it was in the first call that can have arrived.
   */
  readonly subAccount: string | null;
}

/** A request without what is recorded of calls. */
export type Uncalled<Request extends CallHistory> = Omit<Request, keyof CallHistory>;

interface RequestCore extends CallHistory {
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
  /** True once an answer about this payment is recorded: from then on only changes matter. */
  readonly isAnswered: boolean;
  /** Our own payer page for this payment. */
  readonly hostedUrl: string;
}

export interface PayoutRequest extends RequestCore {
  readonly amount: bigint;
  readonly currency: string;
  readonly country: string;
  /** The full account number exists only in memory, during the call. */
  readonly recipient: {
    readonly accountNumber: string;
    readonly bankCode: string;
    readonly holderName: string;
  };
}

/** A query needs no account number. */
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
 * Money of a payment that belongs to no open intent, to be sent back whole to its payer. Every call about one refund has the
 * same request.
 */
export interface RefundRequest extends RequestCore {
  readonly amount: bigint;
  readonly currency: string;
  readonly payment: {
    /** The dispatch reference of the payment that the money arrived for. */
    readonly reference: string;
    /** The provider's own reference of the payment; null if it named none. */
    readonly providerReference: string | null;
    /** The provider's id of this very money; null from a provider that sends none. */
    readonly receiptId: string | null;
  };
}

/**
 * A creating request with the database time shortly before its call was announced. An adapter must not send it more
 * than `LATEST_SEND_MS` after that, and must let the provider reject late arrivals.
 */
export type Creation<Request> = Request & { readonly announcedAt: Date };

/** The longest time between the announcement of a creating call and its sending, in ms. */
export const LATEST_SEND_MS = 60_000;

/** A provider's terms for converting one token into one currency. */
export interface TopupOffer {
  /** Destination major units per source major unit, six fraction digits. */
  readonly rate: string;
  readonly feeBasisPoints: number;
  /** Networks the token can be sent on, the default first. */
  readonly networks: readonly string[];
}

/**
 * One provider. `create…` sends once; a provider answers a repeated reference with its first result. `query…` returns
 * all outcomes at the provider, oldest first, and `never_accepted` only if it certainly never accepted the intent. Both
 * answer `unknown` instead of throwing; the signal aborts them. `at` is the merchant's time, used by the sandbox; an
 * external provider uses its own clock.
 *
 * `cancel…` closes an unpaid intent, so that its payer can no longer pay, and returns its state: `expired` or
 * `cancelled` if closed, any other if it was too late. Absent if the provider cannot close intents. Repeats are
 * harmless.
 *
 * `createRefund` sends money back to a payer, `queryRefund` polls it; both are absent if the provider cannot. A provider that does
 * not remember our reference of a refund for at least a day must not offer them: a call without an answer could not be repeated.
 */
export interface Gateway {
  readonly name: string;
  /** Set if an answered payment or top-up changes only through this service until its deadline. */
  readonly isOurs?: true;
  /**
   * The account at the provider to which its credentials belong; recorded on every call. "Not found" of another account
   * proves nothing, so Sluice never polls an intent through an account that did not receive it.
   */
  readonly account?: string | undefined;
  /**
   * The accounts of merchants under `account`, by merchant. Present if calls go to them: the gateway then serves these merchants
   * only. Calls about earlier work use what is recorded of it.
   */
  readonly subAccounts?: Readonly<Record<string, string>> | undefined;
  /** Returns the members of `customer` that the provider demands for the method. */
  readonly requiredCustomerFields?: ((method: PaymentMethod) => readonly CustomerField[]) | undefined;
  /**
   * Returns the address of an object on the provider's own dashboard, by a reference or receipt id of the provider; null if
   * the address is not known. It opens only for people with an account there.
   */
  readonly objectPage?: ((kind: RoutedKind, reference: string) => string | null) | undefined;
  offersPayment(method: PaymentMethod, environment: Environment): boolean;
  offersPayout(currency: string, environment: Environment): boolean;
  /** Returns null if the provider does not convert this token into this currency. */
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
  readonly createRefund?:
    | ((request: Creation<RefundRequest>, signal: AbortSignal) => Promise<RefundOutcome>)
    | undefined;
  readonly queryRefund?:
    | ((request: RefundRequest, signal: AbortSignal, at: Date) => Promise<readonly RefundOutcome[]>)
    | undefined;
}

/** A callback verified by its adapter; the prefix of the reference decides how to read `outcomes`. */
interface ProviderUpdate {
  readonly callbackId: string;
  readonly merchantId: string;
  readonly reference: string;
  readonly outcomes: readonly (PaymentOutcome | PayoutOutcome | TopupOutcome)[];
}

/**
 * A callback as parsed by its provider's adapter. `why` is for staff and contains no value of the body. `hint`: something
 * happened to the intent; Sluice polls the provider and believes only the answer. `irrelevant`: it is about nothing that
 * Sluice sent.
 */
export type CallbackReading =
  | ({ readonly kind: "update" } & ProviderUpdate)
  | ({ readonly kind: "hint"; readonly merchantId: string | null; readonly reference: string } & CallbackSource)
  | { readonly kind: "irrelevant"; readonly merchantId: null; readonly reference: null }
  | ({
      readonly kind: "unreadable";
      readonly why: string;
      /** The merchant and reference that it names, if readable. */
      readonly merchantId: string | null;
      readonly reference: string | null;
    } & CallbackSource);

interface CallbackSource {
  /**
   * The sub-account that the callback says it is about; absent for the provider's account itself. It concerns nothing that was
   * sent to any other.
   */
  readonly subAccount?: string | undefined;
}

/** What a check of a provider's configuration found. A fault keeps the service from starting if `stopsStart`. */
export interface ProviderFinding {
  readonly level: "ok" | "warning" | "fault";
  /** For the operator; contains no secret. */
  readonly text: string;
  readonly stopsStart?: true;
}

/** Asks the provider, by calls that change nothing, whether the configuration is right. Never throws. */
export type ProviderInspection = (signal: AbortSignal) => Promise<readonly ProviderFinding[]>;

/**
 * Reads the balances of the provider's account, or of a sub-account, in our minor units. Returns null if the provider does not
 * answer.
 */
export type BalanceReader = (signal: AbortSignal, subAccount: string | null) => Promise<readonly ProviderSum[] | null>;

/** Asks the provider about one sub-account, by calls that change nothing. Never throws. */
export type SubAccountInspection = (subAccount: string, signal: AbortSignal) => Promise<readonly ProviderFinding[]>;

/** A gateway that also receives callbacks over HTTP. */
export interface CallbackReceiver {
  /** Set if the proof of a callback's sender does not cover its body. Its readings are then only hints. */
  readonly provesOnlySender?: true;
  /** Verifies the signature of the raw body. Returns null if it is missing, forged or stale. */
  verifyCallback(headers: Pick<Headers, "get">, rawBody: string, now: Date): { readonly callbackId: string } | null;
  /**
   * Returns the body as it is stored for good: without the payer's data, where the provider sends some. Absent to store it as it is.
   * Equal bodies stay equal, and `readCallback` finds the same in both.
   */
  storedBody?(rawBody: string): string;
  /** Parses a verified body, as it was stored. */
  readCallback(rawBody: string): CallbackReading;
}
