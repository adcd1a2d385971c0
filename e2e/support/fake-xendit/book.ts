// The fake Xendit's books: one business in one environment, with its objects and its memory of idempotency keys.
import type { Reply } from "../hostile-provider/server";
import { type Body, newPaymentRequest, newPayout, type Owner, type PaymentRequest, type Payout } from "./objects";

/** An error as Xendit answers it. */
export class XenditError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface Kept {
  readonly fingerprint: string;
  readonly reply: Reply;
}

const invalid = (message: string) => new XenditError(400, "API_VALIDATION_ERROR", message);

/** Digits after the decimal point: "IDR: number should be integer". */
const DIGITS: Readonly<Record<string, number>> = { IDR: 0, VND: 0, PHP: 2, THB: 2, MYR: 2 };
const COUNTRIES: Readonly<Record<string, string>> = { IDR: "ID", VND: "VN", PHP: "PH", THB: "TH", MYR: "MY" };
const LONGEST_KEY = 100;

function requireAmount({ amount, currency }: Body): void {
  const digits = DIGITS[String(currency)];
  if (digits === undefined) throw invalid('"currency" is not supported');
  const [, fraction = ""] = /^\d+(?:\.(\d+))?$/.exec(String(amount)) ?? [];
  if (typeof amount !== "number" || amount <= 0) throw invalid('"amount" should be > 0');
  if (fraction.length > digits) throw invalid(`"amount" should have ${digits} decimal places or less`);
}

export class XenditAccount {
  readonly requests: PaymentRequest[] = [];
  readonly payouts: Payout[] = [];
  /** References of payouts in the order in which money left. */
  readonly executions: string[] = [];
  /** In Xendit's units. */
  balance: Readonly<Record<string, number>> = { IDR: 1_000_000, PHP: 5_000.55 };
  /** The status of a new payment request by code or account, which Xendit does not document. */
  codeStatus = "PENDING";
  /** The documentation shows a list of payouts as an array, the SDK as an object. */
  payoutLists: "array" | "object" = "array";
  /** A business that moved money before has transactions. */
  transactions = 1;
  readonly #keys = new Map<string, Kept>();

  constructor(readonly owner: Owner) {}

  /** Xendit says nothing about how long it remembers keys. */
  forgetKeys(): void {
    this.#keys.clear();
  }

  /** Replays the first reply of a key. A call that was refused is not kept. */
  once(key: string | undefined, fingerprint: string, perform: () => Reply): Reply {
    if (key === undefined || key === "" || key.length > LONGEST_KEY) throw invalid("Idempotency-key is required");
    const kept = this.#keys.get(key);
    if (kept && kept.fingerprint !== fingerprint) {
      throw new XenditError(400, "DUPLICATE_ERROR", "A payout with this idempotency key already exists.");
    }
    if (kept) return kept.reply;
    const reply = perform();
    this.#keys.set(key, { fingerprint, reply });
    return reply;
  }

  createPayment(body: Body): PaymentRequest {
    requireAmount(body);
    const method = body["payment_method"] as Body | undefined;
    const account = method?.["virtual_account"] as Body | undefined;
    const { customer_name } = (account?.["channel_properties"] ?? {}) as Body;
    if (method?.["type"] === "VIRTUAL_ACCOUNT" && !customer_name) throw invalid('"customer_name" is required');
    const request = newPaymentRequest(this.owner, body, this.codeStatus);
    this.requests.unshift(request);
    return request;
  }

  createPayout(body: Body): Payout {
    requireAmount(body);
    const channel = String(body["channel_code"]);
    if (!channel.startsWith(`${COUNTRIES[String(body["currency"])]}_`)) {
      throw new XenditError(400, "CHANNEL_CODE_NOT_SUPPORTED", '"channel_code" is not supported.');
    }
    const { account_number, account_holder_name } = (body["channel_properties"] ?? {}) as Body;
    if (!account_number || !account_holder_name) throw invalid("Should have required property");
    const payout = newPayout(this.owner, body);
    this.payouts.unshift(payout);
    this.executions.push(payout.reference_id);
    const { currency, amount } = payout;
    this.balance = { ...this.balance, [currency]: (this.balance[currency] ?? 0) - amount };
    return payout;
  }

  /** The newest object of our reference, as a person sees it in the dashboard. */
  payment(reference: string): PaymentRequest {
    const found = this.requests.find((one) => one.reference_id === reference);
    if (!found) throw new Error(`Xendit has no payment request for ${reference}`);
    return found;
  }

  payout(reference: string): Payout {
    const found = this.payouts.find((one) => one.reference_id === reference);
    if (!found) throw new Error(`Xendit has no payout for ${reference}`);
    return found;
  }
}
