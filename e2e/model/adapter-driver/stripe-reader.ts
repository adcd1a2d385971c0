// What Stripe's answers about a payment mean, and what the service may ask for, by docs/providers/stripe.md.
import { type Form, textAt } from "../../support/fake-stripe/form";
import { CANCELLED, type Intent, type Session } from "../../support/fake-stripe/objects";
import type { SeenCall } from "../../support/hostile-provider/server";
import type { Asked } from "../world/history";
import type { Heard } from "./adapted";
import { NO_NEWS, ProviderReader, reported, SILENCE } from "./reader";

type Shown = Intent | Session;

/** Reads the calls about one payment. */
export class StripeReader extends ProviderReader {
  /** True once the payer's time is over, so that a cancelled payment has expired. */
  isOver: () => boolean = () => false;
  /** True for a payment on a page, which the payer may pay until it ends, also after a try that failed. */
  readonly #isOnPage: boolean;

  constructor(asked: Pick<Asked, "amount" | "currency">, isOnPage: boolean) {
    super(asked);
    this.#isOnPage = isOnPage;
  }

  read({ method, path, body, answer }: SeenCall): void {
    if (path === "/v1/account") return;
    const data = answer?.status === 200 ? (answer.body as Shown) : null;
    if (method === "POST" && /(payment_intents|sessions)$/.test(path)) {
      this.#check(body as Form);
      return this.heard("create", data ? this.created(() => this.#meaning(data)) : this.refused(isRefusal(answer)));
    }
    if (method === "POST") return this.heard("cancel", data ? this.#meaning(data, true) : SILENCE);
    const meaning = data && (path.includes("?created") ? this.#listed(data) : this.#meaning(data));
    this.heard("query", meaning ?? SILENCE);
  }

  #listed(list: object): Heard["answer"] {
    const { data } = list as { readonly data: readonly Shown[] };
    const [ours] = data;
    return ours ? this.#meaning(ours) : { kind: "refusal", code: "unknown_reference" };
  }

  /** `isClosed`: after the service has cancelled it. */
  #meaning(object: Shown, isClosed = false): Heard["answer"] {
    return object.object === "payment_intent" ? this.#ofIntent(object, isClosed) : this.#ofSession(object);
  }

  #ofSession({ status, payment_intent: intent }: Session): Heard["answer"] {
    const isUnpaid = !intent || (intent.status === CANCELLED && intent.amount_received === 0);
    if (status === "expired" && isUnpaid) return reported("expired");
    if (intent && !["requires_action", "requires_payment_method"].includes(intent.status)) {
      return this.#ofIntent(intent, false);
    }
    return status === "open" && !this.isAnswered ? reported("requires_action") : NO_NEWS;
  }

  #ofIntent(
    { id, status, amount, amount_received, currency, last_payment_error }: Intent,
    isClosed: boolean,
  ): Heard["answer"] {
    const isOurs = currency === this.asked.currency.toLowerCase() && BigInt(amount) === this.asked.amount;
    if (!isOurs) return { kind: "other_object" };
    switch (status) {
      case "requires_action":
        return this.isAnswered ? NO_NEWS : reported("requires_action");
      case "requires_payment_method":
        return NO_NEWS;
      case "processing":
        return reported("pending", { provider_reference: id });
      case "succeeded": {
        const sum = { amount: amount_received.toString(), currency: this.asked.currency };
        return reported("succeeded", { ...sum, provider_reference: id, receipt_id: id });
      }
      case CANCELLED: {
        if (amount_received > 0) return SILENCE;
        if (isClosed && last_payment_error && !this.isAnswered && !this.#isOnPage) return reported("declined");
        return reported(this.isOver() ? "expired" : "cancelled");
      }
      default:
        return SILENCE;
    }
  }

  /** Compares what the service asked for with what the merchant wanted. */
  #check(body: Form): void {
    const price = ["line_items", "0", "price_data"];
    const sum = textAt(body, "amount") ?? textAt(body, ...price, "unit_amount");
    const currency = textAt(body, "currency") ?? textAt(body, ...price, "currency");
    if (sum === this.asked.amount.toString() && currency === this.asked.currency.toLowerCase()) return;
    this.wrongRequests.push(`Stripe was asked for ${sum} ${currency}`);
  }
}

function isRefusal(answer: SeenCall["answer"]): boolean {
  const { error } = (answer?.body ?? {}) as { readonly error?: { readonly type: string } };
  return answer?.status === 400 && error?.type === "invalid_request_error";
}
