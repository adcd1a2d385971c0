// What Xendit's answers mean, and what the service may ask for, by docs/providers/xendit.md.
import { CANCELLED } from "../../support/fake-xendit/objects";
import type { SeenCall } from "../../support/hostile-provider/server";
import type { Asked, Kind } from "../world/history";
import type { Report } from "../world/reports";
import { type Heard, PAYEE } from "./adapted";
import { NO_NEWS, ProviderReader, reported, SILENCE } from "./reader";

/** The channel of every payout's recipient. */
export const CHANNEL = "PH_BDO";

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly failure_code?: string | null;
}

/** Reads the calls about one intent in pesos. */
export class XenditReader extends ProviderReader {
  readonly #kind: Kind;
  /** True if the payer acts on the page of a wallet, of which Xendit knows. */
  readonly #isWallet: boolean;

  constructor(kind: Kind, asked: Pick<Asked, "amount" | "currency">, isWallet: boolean) {
    super(asked);
    this.#kind = kind;
    this.#isWallet = isWallet;
  }

  read({ method, path, body, answer }: SeenCall): void {
    // These calls ask to whom the key belongs.
    if (path.endsWith("?limit=1")) return;
    const data = answer !== null && answer.status < 300 ? answer.body : null;
    if (method === "POST") {
      this.#check(body as Readonly<Record<string, unknown>>);
      return this.heard(
        "create",
        data ? this.created(() => this.#meaning(data as Shown)) : this.refused(isRefusal(answer)),
      );
    }
    if (!data) return this.heard("query", SILENCE);
    this.heard("query", path.includes("?reference_id") ? this.#listed(data) : this.#meaning(data as Shown));
  }

  #listed(list: unknown): Heard["answer"] {
    const objects = (Array.isArray(list) ? list : (list as { readonly data: unknown }).data) as readonly Shown[];
    const [ours] = objects;
    return ours ? this.#meaning(ours) : { kind: "refusal", code: "unknown_reference" };
  }

  #meaning(object: Shown): Heard["answer"] {
    const amount = BigInt(Math.round(object.amount * 100));
    if (object.currency !== this.asked.currency || amount !== this.asked.amount) return { kind: "other_object" };
    const sum = { amount: amount.toString(), currency: object.currency };
    return this.#kind === "payment" ? this.#ofPayment(object, sum) : this.#ofPayout(object, sum);
  }

  #ofPayment({ id, status }: Shown, sum: Partial<Report>): Heard["answer"] {
    switch (status) {
      case "REQUIRES_ACTION":
        return this.isAnswered ? NO_NEWS : reported("requires_action");
      case "PENDING":
        if (this.#isWallet) return reported("pending", { provider_reference: id });
        return this.isAnswered ? NO_NEWS : reported("requires_action");
      case "SUCCEEDED":
        return reported("succeeded", { ...sum, provider_reference: id, receipt_id: id });
      case "FAILED":
        return reported("declined");
      case CANCELLED:
        return reported("cancelled");
      case "EXPIRED":
        return reported("expired");
      default:
        return SILENCE;
    }
  }

  #ofPayout({ id, status, failure_code }: Shown, sum: Partial<Report>): Heard["answer"] {
    const named = { provider_reference: id };
    switch (status) {
      case "ACCEPTED":
      case "REQUESTED":
        return reported("pending", named);
      case "SUCCEEDED":
        return reported("settled", { ...sum, ...named });
      case "REVERSED":
        return reported("returned", { ...sum, ...named });
      case "FAILED":
        return reported(failure_code === "INVALID_DESTINATION" ? "invalid_recipient" : "declined", named);
      default:
        return SILENCE;
    }
  }

  /** Compares what the service asked for with what the merchant wanted. */
  #check({ amount, currency, channel_code, channel_properties }: Readonly<Record<string, unknown>>): void {
    const isOurSum = amount === Number(this.asked.amount) / 100 && currency === this.asked.currency;
    if (!isOurSum) this.wrongRequests.push(`Xendit was asked for ${JSON.stringify({ amount, currency })}`);
    if (this.#kind === "payment") return;
    const { account_number } = channel_properties as { readonly account_number?: unknown };
    if (channel_code !== CHANNEL || account_number !== PAYEE.accountNumber) {
      this.wrongRequests.push(`the payout goes to ${String(account_number)} at ${String(channel_code)}`);
    }
  }
}

function isRefusal(answer: SeenCall["answer"]): boolean {
  const { error_code: code } = (answer?.body ?? {}) as { readonly error_code?: string };
  return answer?.status === 400 && code === "API_VALIDATION_ERROR";
}
