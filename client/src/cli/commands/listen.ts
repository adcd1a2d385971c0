import type { Sluice } from "../../sluice.js";
import { catchUp, type Window } from "../catch-up.js";
import { type Command, connect, type Given, readNumber } from "../command.js";
import { environmentOf } from "../credentials.js";
import { parseEventType } from "../event-types.js";
import { CommandFailure } from "../failure.js";
import { Follower, type Place } from "../follower.js";
import { follow, readAll, skipEarlier } from "../following.js";
import { forward, forwardingSecret, isAccepted, type ListedEvent, outcomeOf, parseTarget } from "../forward.js";
import type { Terminal } from "../terminal.js";

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

async function readNewest(sluice: Sluice, signal: AbortSignal): Promise<ListedEvent | null> {
  const { data } = await sluice.events.list({ limit: 1 }, { signal }).firstPage();
  return (data[0] as ListedEvent | undefined) ?? null;
}

/** The events of a window; null if there are more than `most`. */
async function readWindow(
  sluice: Sluice,
  { from, until }: Window,
  most: number,
  signal: AbortSignal,
): Promise<ListedEvent[] | null> {
  const bounds = { created_after: new Date(from).toISOString(), created_before: new Date(until).toISOString() };
  const events: ListedEvent[] = [];
  for await (const { data } of sluice.events.list({ limit: 100, ...bounds }, { signal }).pages()) {
    events.push(...(data as ListedEvent[]));
    if (events.length > most) return null;
  }
  return events;
}

/** Yields the events after a place, and then those that occur. */
async function* eventsAfter(
  terminal: Terminal,
  sluice: Sluice,
  place: Place,
  onReady: () => void,
): AsyncGenerator<ListedEvent, void> {
  const { signal } = terminal;
  const earlier = {
    timeOf,
    readNewest: async () => {
      const newest = await readNewest(sluice, signal);
      onReady();
      return newest;
    },
    readWindow: (window: Window, most: number) => readWindow(sluice, window, most, signal),
  };
  const after = yield* catchUp(terminal, earlier, place);
  const follower = new Follower<ListedEvent>(timeOf, after);
  yield* follow(terminal, { follower, read: (since) => readEvents(sluice, since, signal), onReady });
}

/** Yields the events that occur from now on. */
async function* newEvents(
  terminal: Terminal,
  sluice: Sluice,
  patient: Sluice,
  onReady: () => void,
): AsyncGenerator<ListedEvent, void> {
  const { signal } = terminal;
  const follower = new Follower<ListedEvent>(timeOf);
  const newest = await readNewest(patient, signal);
  await skipEarlier(follower, newest ? [newest] : [], (from) => readEvents(patient, from, signal));
  yield* follow(terminal, { follower, read: (since) => readEvents(sluice, since, signal), onReady });
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
    let isReady = false;
    const onReady = () => {
      if (isReady) return;
      isReady = true;
      say(`Waiting for events of ${credentials.baseUrl} (${environmentOf(credentials)}). Ctrl-C ends it.`);
      if (url !== null) say(`They go to ${url}; verify them with ${secret}`);
    };
    const events = after
      ? eventsAfter(terminal, sluice, after, onReady)
      : newEvents(terminal, sluice, patient, onReady);
    let last: string | null = null;
    let done = 0;
    try {
      for await (const event of events) {
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
