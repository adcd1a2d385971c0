// The fake Stripe's books: one account in one environment, with its objects and its memory of idempotency keys.
import { randomBytes } from "node:crypto";
import type { Reply } from "../hostile-provider/server";
import { type Form, membersAt, textAt } from "./form";
import { CANCELLED, failedTry, type Intent, nextActionOf, type Refund, type Session } from "./objects";

/** An error as Stripe answers it. */
export class StripeError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly code?: string,
    readonly intent?: Intent,
  ) {
    super(message);
  }
}

export interface Owner {
  readonly id: string;
  readonly livemode: boolean;
}

interface Kept {
  readonly fingerprint: string;
  readonly reply: Reply;
}

const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString("hex")}`;
const nowSeconds = () => Math.floor(Date.now() / 1_000);
const invalid = (message: string, code?: string) => new StripeError(400, "invalid_request_error", message, code);

/** Methods that a server may confirm, with what they need. */
const NEEDS: Readonly<Record<string, string>> = { promptpay: "email" };

export class StripeAccount {
  readonly intents: Intent[] = [];
  readonly sessions: Session[] = [];
  readonly customers: string[] = [];
  readonly refunds: Refund[] = [];
  /** The status that new refunds have. */
  refundStatus = "succeeded";
  /** In Stripe's units. */
  available: readonly { readonly amount: number; readonly currency: string }[] = [{ amount: 12_345, currency: "eur" }];
  /** Parameters of each PaymentIntent, by its id. */
  readonly #params = new Map<string, Form>();
  readonly #keys = new Map<string, Kept>();

  constructor(readonly owner: Owner) {}

  /** Stripe forgets keys after 24 hours or later. */
  forgetKeys(): void {
    this.#keys.clear();
  }

  /** Replays the first reply of a key. The reply of a call that was not executed is not kept. */
  once(key: string | undefined, fingerprint: string, perform: () => Reply): Reply {
    const kept = key === undefined ? undefined : this.#keys.get(key);
    if (kept && kept.fingerprint !== fingerprint) {
      throw new StripeError(400, "idempotency_error", "Keys can only be used with the same parameters.");
    }
    if (kept) return kept.reply;
    const reply = perform();
    if (key !== undefined) this.keep(key, fingerprint, reply);
    return reply;
  }

  keep(key: string, fingerprint: string, reply: Reply): void {
    this.#keys.set(key, { fingerprint, reply });
  }

  createCustomer(): object {
    const id = newId("cus");
    this.customers.push(id);
    return { id, object: "customer", livemode: this.owner.livemode };
  }

  createIntent(params: Form): Intent {
    const type = textAt(params, "allowed_payment_method_types", "0") ?? "";
    const needed = NEEDS[type];
    if (needed && !textAt(params, "payment_method_data", "billing_details", needed)) {
      throw invalid(`Missing required param: payment_method_data[billing_details][${needed}].`, "parameter_missing");
    }
    if (type === "customer_balance" && !this.customers.includes(textAt(params, "customer") ?? "")) {
      throw invalid("No such customer", "resource_missing");
    }
    const ends = Number(textAt(params, "payment_method_options", "pix", "expires_at") ?? nowSeconds() + 60);
    if (ends < nowSeconds() + 10) throw invalid("expires_at must be in the future", "parameter_invalid_integer");
    const intent = this.#newIntent(type, params, "requires_action");
    intent.next_action = nextActionOf(type, params, intent.amount);
    return intent;
  }

  createSession(params: Form): Session {
    const left = Number(textAt(params, "expires_at")) - nowSeconds();
    if (!(left >= 1_790 && left <= 24 * 3_600)) {
      throw invalid("The expires_at timestamp must be between 30 minutes and 24 hours from Checkout Session creation.");
    }
    const id = newId("cs");
    const price = membersAt(membersAt(membersAt(params, "line_items"), "0"), "price_data");
    const session: Session = {
      id,
      object: "checkout.session",
      amount_total: Number(textAt(price, "unit_amount")),
      client_reference_id: textAt(params, "client_reference_id") ?? null,
      created: nowSeconds(),
      currency: textAt(price, "currency") ?? null,
      expires_at: Number(textAt(params, "expires_at")),
      livemode: this.owner.livemode,
      metadata: membersAt(params, "metadata") as Session["metadata"],
      payment_method_types: [textAt(params, "allowed_payment_method_types", "0") ?? ""],
      payment_status: "unpaid",
      status: "open",
      url: `https://checkout.stripe.com/c/pay/${id}`,
      payment_intent: null,
    };
    this.sessions.unshift(session);
    return session;
  }

  /** Refunds at most what the PaymentIntent received and has not refunded. */
  createRefund(params: Form): Refund {
    const intent = this.intent(textAt(params, "payment_intent") ?? "");
    const amount = Number(textAt(params, "amount"));
    const refunded = this.refunds
      .filter(({ payment_intent, status }) => payment_intent === intent.id && status !== "failed")
      .reduce((sum, one) => sum + one.amount, 0);
    if (intent.amount_received === 0) throw invalid("This PaymentIntent does not have a successful charge to refund.");
    if (refunded === intent.amount_received) throw invalid("It has been refunded.", "charge_already_refunded");
    if (refunded + amount > intent.amount_received) throw invalid("Refund amount is greater than unrefunded amount");
    const refund: Refund = {
      id: newId("re"),
      object: "refund",
      amount,
      charge: intent.latest_charge,
      created: nowSeconds(),
      currency: intent.currency,
      metadata: membersAt(params, "metadata") as Refund["metadata"],
      payment_intent: intent.id,
      reason: null,
      status: this.refundStatus,
    };
    this.refunds.unshift(refund);
    return refund;
  }

  refund(id: string): Refund {
    const found = this.refunds.find((one) => one.id === id);
    if (!found) throw new StripeError(404, "invalid_request_error", "No such refund", "resource_missing");
    return found;
  }

  intent(id: string): Intent {
    const found = this.intents.find((one) => one.id === id);
    if (!found) throw new StripeError(404, "invalid_request_error", "No such payment_intent", "resource_missing");
    return found;
  }

  session(id: string): Session {
    const found = this.sessions.find((one) => one.id === id);
    if (!found) throw new StripeError(404, "invalid_request_error", "No such checkout.session", "resource_missing");
    return found;
  }

  cancel(intent: Intent): Intent {
    if (["succeeded", CANCELLED, "processing"].includes(intent.status)) {
      const message = `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`;
      throw new StripeError(400, "invalid_request_error", message, "payment_intent_unexpected_state", intent);
    }
    return Object.assign(intent, { status: CANCELLED, next_action: null });
  }

  expire(session: Session): Session {
    if (session.status !== "open") throw invalid("Only Checkout Sessions with a status in [open] can be expired.");
    if (session.payment_intent) this.cancel(session.payment_intent);
    return Object.assign(session, { status: "expired", url: null });
  }

  /** The newest object of our reference, as a person sees it in the dashboard. */
  find(reference: string): { readonly session: Session | null; readonly intent: Intent | null } {
    const session = this.sessions.find(({ client_reference_id }) => client_reference_id === reference) ?? null;
    const own = this.intents.find(({ metadata }) => metadata["sluice_reference"] === reference) ?? null;
    return { session, intent: session ? session.payment_intent : own };
  }

  /** The payer chooses to pay on a page: Stripe creates the PaymentIntent. */
  choose(session: Session, status: Intent["status"]): Intent {
    const params = { amount: String(session.amount_total), currency: session.currency ?? "" };
    const [type = ""] = session.payment_method_types;
    const intent = this.#newIntent(type, params, status);
    intent.metadata = session.metadata ?? {};
    if (status === "requires_action") intent.next_action = nextActionOf(type, params, intent.amount);
    return Object.assign(session, { payment_intent: intent, status: "complete" }).payment_intent;
  }

  /** A part of a bank transfer arrives. */
  fund(intent: Intent, remaining: number): void {
    const params = this.#params.get(intent.id) ?? {};
    intent.next_action = nextActionOf("customer_balance", params, remaining);
  }

  fail(intent: Intent): void {
    const [type = ""] = intent.payment_method_types;
    Object.assign(intent, {
      status: "requires_payment_method",
      next_action: null,
      last_payment_error: failedTry(type),
    });
  }

  #newIntent(type: string, params: Form, status: Intent["status"]): Intent {
    const id = newId("pi");
    const intent: Intent = {
      id,
      object: "payment_intent",
      amount: Number(textAt(params, "amount")),
      amount_received: 0,
      cancellation_reason: null,
      created: nowSeconds(),
      currency: textAt(params, "currency") ?? "",
      customer: textAt(params, "customer") ?? null,
      last_payment_error: null,
      latest_charge: null,
      livemode: this.owner.livemode,
      metadata: membersAt(params, "metadata") as Intent["metadata"],
      next_action: null,
      payment_method_types: [type],
      status,
    };
    this.#params.set(id, params);
    this.intents.unshift(intent);
    return intent;
  }
}
