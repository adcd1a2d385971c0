// A webhook receiver that fails at random while a history runs, and what it must have received once it is healthy.
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyWebhook } from "@/client/src/webhooks";
import type { Kind } from "./kinds";
import type { Sighting } from "./sightings";

/** What is known of an intent when a history has come to rest. */
export interface Rested {
  readonly kind: Kind;
  readonly id: string;
  readonly status: string;
}

/** A message as it arrived. */
export interface Message {
  readonly id: string;
  readonly body: string;
  readonly kind: Kind;
  readonly intentId: string;
  readonly status: string;
}

/** The kinds that have events, with the statuses that their events announce. */
const ANNOUNCED: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  payment: ["succeeded", "failed", "expired"],
  payout: ["succeeded", "failed", "cancelled"],
};

/** What differs between the intents of a history and the messages about them. Each message is a different event. */
export function complaintsAboutMessages(rested: readonly Rested[], messages: readonly Message[]): string[] {
  const byIntent = new Map<string, Message[]>();
  for (const message of messages) byIntent.set(message.intentId, [...(byIntent.get(message.intentId) ?? []), message]);
  const complaints: string[] = [];
  for (const { kind, id, status } of rested) {
    const told = (byIntent.get(id) ?? []).map((message) => message.status);
    const expected = ANNOUNCED[kind]?.includes(status) ? [status] : [];
    if (told.join() !== expected.join())
      complaints.push(`the ${kind} ${id} is ${status}, and its events say ${told.join(" and ") || "nothing"}`);
    byIntent.delete(id);
  }
  return [...complaints, ...[...byIntent].map(([id]) => `an event was received about ${id}, which nobody created`)];
}

/** Chances in 100 of what the receiver does with a message while it is not healthy; else it accepts. */
const CHANCES = { refuse: 10, dropAfterwards: 20 } as const;

export interface HookReceiver {
  readonly url: string;
  /** Messages that it got, with repeats. */
  readonly count: number;
  /** Takes signatures of this secret alone. */
  trust(secret: string): void;
  /** Begins a history: fails at random from now on. `hear` is called with what each message announces. */
  begin(draw: (below: number) => number, hear: (sighting: Sighting) => void): void;
  /** Accepts everything from now on. */
  heal(): void;
  /** What is wrong with what it received since `begin`, if these are the intents of that time. */
  complaints(rested: readonly Rested[]): string[];
  stop(): Promise<void>;
}

/** Reads a message that is signed with the secret. Throws if it is not, or its id is not its event's. */
function messageOf(secret: string, headers: IncomingHttpHeaders, body: string): Message {
  const { id, type, data } = verifyWebhook(secret, headers, body) as {
    readonly id: string;
    readonly type: string;
    readonly data: { readonly payment_intent_id?: string; readonly payout_intent_id?: string; readonly status: string };
  };
  if (headers["webhook-id"] !== id)
    throw new Error(`the message ${String(headers["webhook-id"])} is about the event ${id}`);
  const intentId = data.payment_intent_id ?? data.payout_intent_id ?? "";
  return { id, body, kind: type.startsWith("payment_") ? "payment" : "payout", intentId, status: data.status };
}

/** Starts on a free port of 127.0.0.1. */
export async function startHookReceiver(): Promise<HookReceiver> {
  let secret = "";
  let draw: ((below: number) => number) | null = null;
  let hear: (sighting: Sighting) => void = () => {};
  let count = 0;
  /** By id, of all histories: a repeat may be late. */
  const messages = new Map<string, Message>();
  /** Those of the present history, without repeats. */
  const fresh: Message[] = [];
  const problems: string[] = [];

  function take(headers: IncomingHttpHeaders, body: string): void {
    count += 1;
    try {
      const message = messageOf(secret, headers, body);
      const known = messages.get(message.id);
      if (known && known.body !== body) problems.push(`the event ${message.id} came again with another body`);
      if (known) return;
      messages.set(message.id, message);
      fresh.push(message);
      hear({ kind: message.kind, id: message.intentId, status: message.status, by: "a webhook" });
    } catch (error) {
      problems.push(`a webhook is not as documented: ${String(error)}`);
    }
  }

  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      take(request.headers, Buffer.concat(chunks).toString("utf8"));
      const chance = draw?.(100) ?? 100;
      if (chance < CHANCES.refuse) response.writeHead(500).end();
      else if (chance < CHANCES.dropAfterwards) request.socket.destroy();
      else response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    get count() {
      return count;
    },
    trust(given) {
      secret = given;
    },
    begin(chance, listener) {
      [draw, hear, count] = [chance, listener, 0];
      fresh.length = 0;
      problems.length = 0;
    },
    heal() {
      draw = null;
    },
    complaints: (rested) => [...problems, ...complaintsAboutMessages(rested, fresh)],
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
