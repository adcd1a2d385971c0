// A provider of histories: it remembers what it executed, whatever our databases have lost, and reports payments by callbacks.
import { handleApiRequest } from "@/server/http/handler";
import { newId } from "@/server/platform/ids";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { json } from "@/server/psp/testing/local-server";
import { startRememberingProvider } from "@/server/testing/remembering-provider";

const NAME = "remembering";
const SECRET = "a secret of at least thirty-two characters";

interface Creation {
  readonly reference: string;
  readonly merchant_id: string;
  readonly amount: string;
  readonly currency: string;
}

/** A payment that the provider was asked for. */
export interface AskedPayment extends Creation {
  isPaid: boolean;
}

export interface HistoryProvider {
  /** Amounts of the payouts that were executed, each once for each execution. */
  executedAmounts(): string[];
  /** Payments that nobody has paid yet, of a merchant. */
  unpaidOf(merchantId: string): readonly AskedPayment[];
  /** True once somebody has paid the payment of that amount. */
  isPaid(amount: string): boolean;
  /** Sends the callback about a paid payment; returns false if it was not taken, so that it must be sent again. */
  report(payment: AskedPayment, callbackId: string): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Starts it as the only provider of the live environment, for payments and for payouts in BRL. A payout is settled at once; a
 * payment is pending until somebody pays it.
 */
export async function startHistoryProvider(): Promise<HistoryProvider> {
  const { server, executed } = await startRememberingProvider();
  const answerPayouts = server.respond;
  const payments = new Map<string, AskedPayment>();
  server.respond = (received, response) => {
    if (!received.path.includes("/v1/payments")) return answerPayouts(received, response);
    const asked = received.method === "POST" ? (JSON.parse(received.body) as Creation) : null;
    const reference = asked?.reference ?? decodeURIComponent(received.path.split("/").at(-1) ?? "");
    if (asked && !payments.has(reference)) payments.set(reference, { ...asked, isPaid: false });
    const known = payments.get(reference);
    if (!known) return json(404, { error: { code: "unknown_reference" } })(received, response);
    return json(200, reportOf(known))(received, response);
  };
  const config = { name: NAME, url: server.url, secret: SECRET, payout_currencies: ["BRL"], payment_methods: "all" };
  configureGateways(JSON.stringify([config]));
  configureRoutes(null);
  return {
    executedAmounts: () => [...executed.values()].map(({ amount }) => amount),
    unpaidOf: (merchantId) => [...payments.values()].filter((one) => one.merchant_id === merchantId && !one.isPaid),
    isPaid: (amount) => [...payments.values()].some((one) => one.amount === amount && one.isPaid),
    report: sendCallback,
    async stop() {
      configureGateways(null);
      await server.stop();
    },
  };
}

function reportOf({ reference, amount, currency, isPaid }: AskedPayment) {
  const core = { reference, provider_reference: `px-${reference}`, intent_amount: amount, intent_currency: currency };
  return isPaid ? { ...core, status: "succeeded", amount, currency } : { ...core, status: "pending" };
}

async function sendCallback(payment: AskedPayment, callbackId: string): Promise<boolean> {
  const path = `/providers/${NAME}/callbacks`;
  const body = JSON.stringify({ callback_id: callbackId, merchant_id: payment.merchant_id, ...reportOf(payment) });
  const headers = new Headers({
    "content-type": "application/json",
    ...signedHeaders(SECRET, { method: "POST", path, body }, new Date()),
  });
  const peer = { address: "192.0.2.9", duplicateHeaders: [] };
  const readBody = () => Promise.resolve(Buffer.from(body));
  const { status } = await handleApiRequest({ method: "POST", target: path, headers, peer, readBody });
  if (status !== 200 && status !== 503) throw new Error(`a callback was answered ${status}`);
  return status === 200;
}

/** The id of a new callback. */
export const newCallbackId = () => newId("event");
