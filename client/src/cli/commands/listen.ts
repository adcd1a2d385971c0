import type { Sluice } from "../../sluice.js";
import { type Command, connect, type Given, readNumber } from "../command.js";
import { environmentOf } from "../credentials.js";
import { parseEventType } from "../event-types.js";
import { CommandFailure } from "../failure.js";
import { Follower } from "../follower.js";
import { follow, readAll, skipEarlier } from "../following.js";
import { forward, forwardingSecret, isAccepted, type ListedEvent, outcomeOf, parseTarget } from "../forward.js";

const MOST_EVENTS = 1_000_000;
const timeOf = ({ timestamp }: { readonly timestamp: string }) => Date.parse(timestamp);

/** Sorts before every id: all events of that moment come after it. */
const BEFORE_ALL_IDS = "";

/** The place after which to forward: an event that was handled, a time, or null for what comes from now on. */
async function placeOf(sluice: Sluice, since: string | undefined, signal: AbortSignal) {
  if (since === undefined) return null;
  if (since.startsWith("evt_")) {
    const event = await sluice.events.get(since, { signal });
    return { time: timeOf(event), id: event.id };
  }
  const time = /T.*(?:Z|[+-]\d\d:\d\d)$/.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(time))
    throw new CommandFailure("usage", "--since is the id of an event, or a time such as 2026-11-21T09:30:00Z.");
  return { time, id: BEFORE_ALL_IDS };
}

async function readEvents(sluice: Sluice, since: Date | null, signal: AbortSignal): Promise<ListedEvent[]> {
  const query = { limit: 100, ...(since && { created_after: since.toISOString() }) };
  return (await readAll(sluice.events.list(query, { signal }))) as ListedEvent[];
}

function readTypes(given: Given): ReadonlySet<string> | null {
  const list = given.value("events");
  return list === undefined ? null : new Set(list.split(",").map((type) => parseEventType(type.trim())));
}

export const listen: Command = {
  name: "listen",
  words: [],
  summary: "Forward events to a local address as they occur, signed, until Ctrl-C",
  options: {
    "forward-to": { value: "URL", help: "where to post them, such as localhost:4000/hooks; only shown if omitted" },
    events: { value: "LIST", help: "only these types, separated by commas" },
    since: { value: "PLACE", help: "begin after this event, or at this time" },
    count: { value: "N", help: "stop after N events" },
    "print-secret": { value: null, help: "print the signing secret and stop" },
  },
  run: async (terminal, given) => {
    const { credentials, sluice } = connect(terminal, 0);
    const secret = forwardingSecret(credentials.secretKey);
    if (given.has("print-secret")) return terminal.print(secret, { secret });
    const types = readTypes(given);
    const count = readNumber(given, "count", Number.POSITIVE_INFINITY, MOST_EVENTS);
    const to = given.value("forward-to");
    const url = to === undefined ? null : parseTarget(to);
    const { signal, say } = terminal;
    const patient = connect(terminal).sluice;
    const after = await placeOf(patient, given.value("since"), signal);
    const follower = new Follower<ListedEvent>(timeOf, after);
    const read = (since: Date | null) => readEvents(sluice, since, signal);
    if (after === null) {
      const { data } = await patient.events.list({ limit: 1 }, { signal }).firstPage();
      await skipEarlier(follower, data as ListedEvent[], (from) => readEvents(patient, from, signal));
    }
    const onReady = () => {
      say(`Waiting for events of ${credentials.baseUrl} (${environmentOf(credentials)}). Ctrl-C ends it.`);
      if (url !== null) say(`They go to ${url}; verify them with ${secret}`);
    };
    let last: string | null = null;
    let done = 0;
    try {
      for await (const event of follow(terminal, { follower, read, onReady })) {
        if (types === null || types.has(event.type)) {
          const forwarded = url === null ? null : await forward(url, secret, event, signal);
          const outcome = forwarded ? ` → ${outcomeOf(forwarded)}` : "";
          terminal.print(`${event.timestamp} ${event.type} ${event.id}${outcome}`, {
            event,
            forwarded: forwarded && {
              status: forwarded.status,
              duration_ms: forwarded.durationMs,
              error: forwarded.error,
            },
          });
          if (forwarded && !isAccepted(forwarded))
            say(`Not accepted. To send it again: sluice events resend ${event.id} --forward-to ${to}`);
          done += 1;
        }
        last = event.id;
        if (done >= count) break;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (last !== null) say(`To continue from here later, add --since ${last}`);
  },
};
