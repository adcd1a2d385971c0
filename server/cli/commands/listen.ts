// Forwards a merchant's new events to a local address.
import { validationError } from "@/server/domain/errors";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { type ForwardedEvent, forwardEvents, forwardingSecret } from "@/server/services/webhooks/forward";
import { readChoice } from "../choice-option";
import { defineCommand, optional, required } from "../command";

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function print({ event, answer }: ForwardedEvent): void {
  const outcome = answer.status === null ? answer.detail : `${answer.status} in ${Math.round(answer.durationMs)} ms`;
  say(`${event.type} ${event.id} → ${outcome}`);
}

/** How many events to wait for; null for no limit. */
function readCount(text: string | null): number | null {
  if (text === null) return null;
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw validationError("count", "must be a whole number from 1");
  return Number(text);
}

export const listen = defineCommand({
  name: "listen",
  summary: "Forward a merchant's events to a local address as they occur, signed, until Ctrl-C",
  cells: "merchant",
  options: {
    forwardTo: required("URL", "the local address, such as http://localhost:4000/hooks"),
    merchant: required("ID", "the merchant"),
    environment: optional(ENVIRONMENTS.join("|"), "test if omitted"),
    count: optional("N", "stop after this number of events"),
  },
  isOngoing: true,
  run: async ({ forwardTo: url, merchant, environment, count }, signal) => {
    const known = readChoice("environment", ENVIRONMENTS, environment ?? "test");
    const scope = { merchantId: merchant, environment: known };
    const limit = readCount(count);
    const secret = forwardingSecret(scope);
    const enough = new AbortController();
    let forwarded = 0;
    await forwardEvents(scope, {
      url,
      signal: AbortSignal.any([signal, enough.signal]),
      onReady: () => say(`forwarding events of ${merchant} (${known}) to ${url}\nverify them with ${secret}`),
      onForwarded: (one) => {
        print(one);
        forwarded += 1;
        if (forwarded === limit) enough.abort();
      },
    });
    return { merchant_id: merchant, environment: known, forwarded_to: url, secret, events: forwarded };
  },
});
