// What dLocal's answers about a payment mean, and what the service may ask for, by docs/providers/dlocal.md.
import type { SeenCall } from "../../support/hostile-provider/server";
import type { Heard } from "./adapted";
import { NO_NEWS, ProviderReader, reported, SILENCE } from "./reader";

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly redirect_url?: string;
}

/** Errors that prove that a creation made nothing, and those that say so of the payer. */
const REFUSED = [5001, 5003, 5004, 5007, 5016];
const PAYER_REFUSED = [5005, 5006, 5014];

/** Reads the calls about one payment in whole pesos. */
export class DlocalReader extends ProviderReader {
  /** True once the payer's time is over, so that a cancelled payment has expired. */
  isOver: () => boolean = () => false;

  read({ method, path, body, answer }: SeenCall): void {
    // This call proves the account.
    if (path.startsWith("/payments-methods")) return;
    const data = answer?.status === 200 ? (answer.body as Shown) : null;
    if (method === "POST") {
      this.#check(body as Readonly<Record<string, unknown>>);
      return this.heard("create", data ? this.created(() => this.#meaning(data)) : this.#refused(answer));
    }
    // The order names the payment, which is read next.
    if (path.startsWith("/orders/") && data) return;
    if (data) return this.heard("query", this.#meaning(data));
    const isUnknownOrder = path.startsWith("/orders/") && answer?.status === 404 && codeOf(answer) === 4000;
    this.heard("query", isUnknownOrder ? { kind: "refusal", code: "unknown_reference" } : SILENCE);
  }

  #refused(answer: SeenCall["answer"]): Heard["answer"] {
    const code = answer?.status === 400 ? codeOf(answer) : null;
    if (code !== null && PAYER_REFUSED.includes(code) && !this.isDoubtful) return reported("declined");
    return this.refused(code !== null && REFUSED.includes(code));
  }

  #meaning({ id, status, amount, currency, redirect_url }: Shown): Heard["answer"] {
    const sum = BigInt(Math.round(amount * 100));
    if (currency !== this.asked.currency || sum !== this.asked.amount) return { kind: "other_object" };
    switch (status) {
      case "PENDING":
        return this.isAnswered || redirect_url === undefined ? NO_NEWS : reported("requires_action");
      case "PAID":
        return reported("succeeded", {
          amount: sum.toString(),
          currency,
          provider_reference: id,
          receipt_id: id,
        });
      case "REJECTED":
        return reported("declined");
      case "CANCELLED":
        return reported(this.isOver() ? "expired" : "cancelled");
      case "EXPIRED":
        return reported("expired");
      default:
        return SILENCE;
    }
  }

  /** Compares what the service asked for with what the merchant wanted. */
  #check({ amount, currency }: Readonly<Record<string, unknown>>): void {
    if (amount === Number(this.asked.amount) / 100 && currency === this.asked.currency) return;
    this.wrongRequests.push(`dLocal was asked for ${JSON.stringify({ amount, currency })}`);
  }
}

function codeOf(answer: SeenCall["answer"]): number | null {
  const { code } = (answer?.body ?? {}) as { readonly code?: number };
  return code ?? null;
}
