import { apiLogs, paymentMethods, sandbox, wallets } from "./resources/account.js";
import { events, webhookEndpoints } from "./resources/events.js";
import { paymentIntents, payoutIntents, topupIntents } from "./resources/intents.js";
import { createTransport, type SluiceOptions } from "./transport.js";

/**
 * A client of one merchant and environment, which its keys name. Calls that write have an idempotency key. Attempts that
 * fail in passing are repeated; all other failures throw SluiceError.
 */
export class Sluice {
  readonly paymentIntents: ReturnType<typeof paymentIntents>;
  readonly payoutIntents: ReturnType<typeof payoutIntents>;
  readonly topupIntents: ReturnType<typeof topupIntents>;
  readonly wallets: ReturnType<typeof wallets>;
  readonly paymentMethods: ReturnType<typeof paymentMethods>;
  readonly events: ReturnType<typeof events>;
  readonly webhookEndpoints: ReturnType<typeof webhookEndpoints>;
  readonly apiLogs: ReturnType<typeof apiLogs>;
  readonly sandbox: ReturnType<typeof sandbox>;

  constructor(options: SluiceOptions) {
    const send = createTransport(options);
    this.paymentIntents = paymentIntents(send);
    this.payoutIntents = payoutIntents(send);
    this.topupIntents = topupIntents(send);
    this.wallets = wallets(send);
    this.paymentMethods = paymentMethods(send);
    this.events = events(send);
    this.webhookEndpoints = webhookEndpoints(send);
    this.apiLogs = apiLogs(send);
    this.sandbox = sandbox(send);
  }
}
