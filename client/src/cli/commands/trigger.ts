import { randomUUID } from "node:crypto";
import { SluiceError } from "../../errors.js";
import type { PayoutIntent } from "../../resources/intents.js";
import type { Sluice } from "../../sluice.js";
import { type Command, connect } from "../command.js";
import { environmentOf } from "../credentials.js";
import { EVENT_TYPES, type EventType, parseEventType } from "../event-types.js";
import { CommandFailure } from "../failure.js";
import type { Terminal } from "../terminal.js";

interface Ended {
  readonly id: string;
  readonly status: string;
}

const PAYMENT_OUTCOMES = {
  "payment_intent.succeeded": "succeeded",
  "payment_intent.failed": "declined",
  "payment_intent.expired": "expired",
} as const;

const CUSTOMER = { name: "Ana Souza", email: "ana@example.com" };

/** The last two digits control what the test provider does with a payout. */
const PAYOUT_AMOUNTS = {
  "payout_intent.succeeded": 1_050n,
  "payout_intent.failed": 1_001n,
  "payout_intent.cancelled": 1_050n,
} as const;

async function endPayment(sluice: Sluice, outcome: string, signal: AbortSignal): Promise<Ended> {
  const methods = await sluice.paymentMethods.list({ signal });
  const method = methods.find((one) => one.required_customer_fields.every((field) => field in CUSTOMER));
  if (!method) throw new Error("The merchant has no currency with a payment method that needs name and email alone.");
  const { id } = await sluice.paymentIntents.create(
    {
      // Far from the smallest amount, with last digits that do not make the test provider act.
      amount: method.minimum_amount * 100n + 50n,
      currency: method.currency,
      country: method.country,
      payment_method: method.code,
      merchant_reference: `trigger-${randomUUID()}`,
      customer: CUSTOMER,
    },
    { signal },
  );
  return sluice.sandbox.simulate({ id, outcome }, { signal });
}

async function createPayout(sluice: Sluice, amount: bigint, signal: AbortSignal): Promise<PayoutIntent> {
  const wallets = await sluice.wallets.list({ signal });
  const wallet = wallets.find(({ available }) => available >= amount);
  if (!wallet) throw new Error(`No wallet has the ${amount} minor units that the payout needs.`);
  return sluice.payoutIntents.create(
    {
      amount,
      currency: wallet.currency,
      country: "BR",
      merchant_reference: `trigger-${randomUUID()}`,
      recipient: { type: "bank_account", account_number: "0001-123456", bank_code: "001", holder_name: "Ana Souza" },
    },
    { signal },
  );
}

async function cancel(sluice: Sluice, { id, status }: PayoutIntent, signal: AbortSignal): Promise<Ended> {
  if (status !== "requires_approval")
    throw new Error(`The merchant's policy requires no approval, so ${id} is sent and cannot be cancelled.`);
  return sluice.payoutIntents.cancel(id, { reason: "Triggered by hand." }, { signal });
}

/** Ends a payout that is on its way, unless the test provider was faster. */
async function settle(sluice: Sluice, id: string, ending: string, signal: AbortSignal): Promise<Ended> {
  try {
    return await sluice.sandbox.simulate({ id, outcome: ending === "failed" ? "declined" : "succeeded" }, { signal });
  } catch (error) {
    const payout = await sluice.payoutIntents.get(id, { signal });
    if (!(error instanceof SluiceError) || payout.status !== ending) throw error;
    return payout;
  }
}

async function endPayout(
  sluice: Sluice,
  type: keyof typeof PAYOUT_AMOUNTS,
  waits: boolean,
  { signal, say }: Terminal,
): Promise<Ended> {
  const payout = await createPayout(sluice, PAYOUT_AMOUNTS[type], signal);
  const { id, status } = payout;
  const ending = type.slice("payout_intent.".length);
  if (ending === "cancelled") return cancel(sluice, payout, signal);
  if (status === "requires_approval") {
    const how = `${id} waits for approval. A person approves it in the dashboard, under Payouts`;
    if (!waits) throw new CommandFailure("waits_for_approval", `${how}; the event follows. --wait waits for it.`);
    say(`${how}.`);
    const isPast = (one: PayoutIntent) => one.status !== "requires_approval";
    await sluice.payoutIntents.wait(id, { until: isPast, withinMs: Number.POSITIVE_INFINITY, signal });
  }
  return settle(sluice, id, ending, signal);
}

function end(sluice: Sluice, type: EventType, waits: boolean, terminal: Terminal): Promise<Ended> {
  if (type in PAYMENT_OUTCOMES)
    return endPayment(sluice, PAYMENT_OUTCOMES[type as keyof typeof PAYMENT_OUTCOMES], terminal.signal);
  return endPayout(sluice, type as keyof typeof PAYOUT_AMOUNTS, waits, terminal);
}

export const trigger: Command = {
  name: "trigger",
  words: ["EVENT"],
  summary: `Create a test object and make it end, so that the event occurs: ${EVENT_TYPES.join(", ")}`,
  options: { wait: { value: null, help: "wait until a person has approved the payout" } },
  run: async (terminal, given) => {
    const type = parseEventType(given.words[0] ?? "");
    const { credentials, sluice } = connect(terminal);
    if (environmentOf(credentials) === "live")
      throw new CommandFailure("live_key", "A live key moves real money: trigger needs a test key.");
    const { id, status } = await end(sluice, type, given.has("wait"), terminal);
    const expected = type.slice(type.indexOf(".") + 1);
    if (status !== expected) throw new Error(`${id} is ${status}, not ${expected}.`);
    const { data } = await sluice.events.list({ intent_id: id }, { signal: terminal.signal }).firstPage();
    const event = data[0]?.id ?? null;
    terminal.print(`${type} ${event ?? ""} of ${id}`, { type, intent_id: id, status, event_id: event });
  },
};
