import { SluiceError } from "../../errors.js";
import type { Sluice } from "../../sluice.js";
import { type Command, connect, readNumber } from "../command.js";
import { parseEventType } from "../event-types.js";
import { CommandFailure } from "../failure.js";
import { readAll } from "../following.js";
import { forward, forwardingSecret, isAccepted, type ListedEvent, outcomeOf, parseTarget } from "../forward.js";
import type { Terminal } from "../terminal.js";

const SHOWN = 20;
const MOST_SHOWN = 1_000;

export const listEvents: Command = {
  name: "events list",
  words: [],
  summary: "Show the newest events, the oldest of them first",
  options: {
    type: { value: "EVENT", help: "only events of this type" },
    limit: { value: "N", help: `how many; ${SHOWN} if omitted` },
  },
  run: async (terminal, given) => {
    const { sluice } = connect(terminal);
    const type = given.value("type");
    const count = readNumber(given, "limit", SHOWN, MOST_SHOWN);
    const query = { limit: Math.min(count, 100), ...(type !== undefined && { type: parseEventType(type) }) };
    const events: ListedEvent[] = [];
    for await (const event of sluice.events.list(query, { signal: terminal.signal })) {
      events.push(event as ListedEvent);
      if (events.length >= count) break;
    }
    for (const event of events.toReversed()) {
      const intent = "payment_intent_id" in event.data ? event.data.payment_intent_id : event.data.payout_intent_id;
      terminal.print(`${event.timestamp} ${event.type} ${event.id} of ${intent}`, event);
    }
  },
};

async function sendToAddress(terminal: Terminal, id: string, target: string): Promise<void> {
  const url = parseTarget(target);
  const { credentials, sluice } = connect(terminal);
  const event = (await sluice.events.get(id, { signal: terminal.signal })) as ListedEvent;
  const forwarded = await forward(url, forwardingSecret(credentials.secretKey), event, terminal.signal);
  const { status, durationMs: duration_ms, error } = forwarded;
  terminal.print(`${event.type} ${id} → ${outcomeOf(forwarded)}`, { event, forwarded: { status, duration_ms, error } });
  if (!isAccepted(forwarded)) throw new Error(`${url} did not accept the event.`);
}

/** Sends a delivery once more; null if its endpoint has been deleted since. */
async function resendDelivery(sluice: Sluice, id: string, signal: AbortSignal) {
  try {
    return await sluice.events.resend(id, { signal });
  } catch (error) {
    if (error instanceof SluiceError && error.code === "not_found") return null;
    throw error;
  }
}

async function sendToEndpoints(terminal: Terminal, id: string): Promise<void> {
  const { sluice } = connect(terminal);
  const { signal } = terminal;
  const deliveries = await readAll(sluice.events.deliveries(id, { limit: 100 }, { signal }));
  let sent = 0;
  for (const delivery of deliveries) {
    const resent = await resendDelivery(sluice, delivery.id, signal);
    if (!resent) continue;
    sent += 1;
    terminal.print(`${resent.event_type} ${id} → ${resent.webhook_endpoint_id}, due now (${resent.id})`, resent);
  }
  if (sent === 0)
    throw new CommandFailure(
      "nothing_to_resend",
      `${id} was meant for no endpoint that exists. --forward-to sends it to an address of yours.`,
    );
}

export const resendEvent: Command = {
  name: "events resend",
  words: ["ID"],
  summary: "Send an event once more, to each endpoint that it was meant for",
  options: { "forward-to": { value: "URL", help: "send it to this address only, signed as sluice listen does" } },
  run: async (terminal, given) => {
    const [id = ""] = given.words;
    const target = given.value("forward-to");
    if (target === undefined) await sendToEndpoints(terminal, id);
    else await sendToAddress(terminal, id, target);
  },
};
