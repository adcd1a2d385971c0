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
import { payment, payout, type TestMerchant } from "@/server/testing/merchant";
import type { Kind } from "../world/history";
import { PAYEE, type Wanted, type Webhook } from "./adapted";

const LEASE_MS = 60_000;
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
    const { currency, country, method, bankCode = PAYEE.bankCode } = this.#wanted;
    const common = { currency, country, amount: this.#wanted.amount.toString() };
    const { context } = this.#merchant;
    const { intent } =
      this.#kind === "payment"
        ? await createPaymentIntent(
            context,
            payment({ ...common, paymentMethod: method ?? "", customer: { email: "ada@example.com" } }),
            withoutIdempotency(),
          )
        : await createPayoutIntent(
            context,
            payout({ ...common, recipient: { ...PAYEE, bankCode } }),
            withoutIdempotency(),
          );
    this.#id = intent.id;
    return intent;
  }

  async read(): Promise<Intent> {
    const { scope } = this.#merchant;
    return this.#kind === "payment" ? getIntent(PAYMENTS, scope, this.#id) : getIntent(PAYOUTS, scope, this.#id);
  }

  /** One round of the worker with the intent, if it is open, `aheadMs` after now. */
  async follow(aheadMs: number): Promise<void> {
    forgetBreakers();
    const { scope } = this.#merchant;
    const clock = () => new Date(now().getTime() + aheadMs);
    if ((await this.read()).dueAt === null) return;
    if (this.#kind === "payment") await followUp(PAYMENTS, await getIntent(PAYMENTS, scope, this.#id), clock);
    else await followUp(PAYOUTS, await getIntent(PAYOUTS, scope, this.#id), clock);
  }

  /** Receives webhooks of the provider and tries all due callbacks. */
  async receive(provider: string, ...webhooks: readonly Webhook[]): Promise<void> {
    forgetBreakers();
    for (const { headers, body } of webhooks) await receiveCallback(provider, headers, body);
    await applyDueCallbacks(100, LEASE_MS);
  }
}
