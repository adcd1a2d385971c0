// The service in this process, as the driver uses it: creation, the worker's rounds and callbacks, without a worker that
// could come in between.
import { now } from "@/server/platform/clock";
import { forgetBreakers } from "@/server/psp/breakers";
import { applyDueCallbacks, receiveCallback } from "@/server/services/callbacks/receive-callback";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { followUp } from "@/server/services/intents/follow-up";
import { getIntent } from "@/server/services/intents/read";
import { createPaymentIntent } from "@/server/services/payments/create";
import { PAYMENTS } from "@/server/services/payments/kind";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { PAYOUTS } from "@/server/services/payouts/kind";
import { createTopupIntent } from "@/server/services/topups/create";
import { TOPUPS } from "@/server/services/topups/kind";
import { payment, payout, type TestMerchant, topup } from "@/server/testing/merchant";
import type { Kind } from "../world/history";
import { PAYEE, type Wanted, type Webhook } from "./adapted";

const LEASE_MS = 60_000;
/** All that a provider demands of a payer. */
const PAYER = { name: "Ada Obi", email: "ada@example.com", document: "53033315550" };

interface Intent {
  readonly id: string;
  readonly dispatchReference: string;
  readonly status: string;
  readonly failure: { readonly code: string } | null;
  readonly dueAt: Date | null;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
}

/** One intent in the service. */
export class Desk {
  readonly #merchant: TestMerchant;
  readonly #kind: Kind;
  readonly #wanted: Wanted;
  #id = "";

  constructor(merchant: TestMerchant, kind: Kind, wanted: Wanted) {
    this.#merchant = merchant;
    this.#kind = kind;
    this.#wanted = wanted;
  }

  /** Creates the intent. A payment is sent at once, a payout by the worker. */
  async create(): Promise<Intent> {
    forgetBreakers();
    const intent = await this.#created();
    this.#id = intent.id;
    return intent;
  }

  async #created(): Promise<Intent> {
    const { currency, country, method, bankCode = PAYEE.bankCode, source } = this.#wanted;
    const amount = this.#wanted.amount.toString();
    const common = { currency, country, amount };
    const { context } = this.#merchant;
    switch (this.#kind) {
      case "payment": {
        const wanted = payment({ ...common, paymentMethod: method ?? "", customer: PAYER });
        return (await createPaymentIntent(context, wanted, withoutIdempotency())).intent;
      }
      case "payout": {
        const wanted = payout({ ...common, recipient: { ...PAYEE, bankCode } });
        return (await createPayoutIntent(context, wanted, withoutIdempotency())).intent;
      }
      case "topup": {
        const { currency: token = "", network = "" } = source ?? {};
        const from = { type: "provider_gateway", provider: null, currency: token, network } as const;
        const wanted = topup({ destination: { amount, currency }, source: from, country });
        return (await createTopupIntent(context, wanted, withoutIdempotency())).intent;
      }
    }
  }

  async read(): Promise<Intent> {
    const { scope } = this.#merchant;
    if (this.#kind === "payment") return getIntent(PAYMENTS, scope, this.#id);
    return this.#kind === "payout" ? getIntent(PAYOUTS, scope, this.#id) : getIntent(TOPUPS, scope, this.#id);
  }

  /** One round of the worker with the intent, if it is open, `aheadMs` after now. */
  async follow(aheadMs: number): Promise<void> {
    forgetBreakers();
    const { scope } = this.#merchant;
    const clock = () => new Date(now().getTime() + aheadMs);
    if ((await this.read()).dueAt === null) return;
    if (this.#kind === "payment") await followUp(PAYMENTS, await getIntent(PAYMENTS, scope, this.#id), clock);
    else if (this.#kind === "payout") await followUp(PAYOUTS, await getIntent(PAYOUTS, scope, this.#id), clock);
    else await followUp(TOPUPS, await getIntent(TOPUPS, scope, this.#id), clock);
  }

  /** Receives webhooks of the provider and tries all due callbacks. */
  async receive(provider: string, ...webhooks: readonly Webhook[]): Promise<void> {
    forgetBreakers();
    for (const { headers, body } of webhooks) await receiveCallback(provider, headers, body);
    await applyDueCallbacks(100, LEASE_MS);
  }
}
