import type { Answer, Query } from "../../operation.js";
import type { Sluice } from "../../sluice.js";
import { type Command, connect, type Given, readNumber } from "../command.js";
import { CommandFailure } from "../failure.js";
import { Follower } from "../follower.js";
import { follow, readAll, skipEarlier } from "../following.js";
import type { Terminal } from "../terminal.js";

type Call = Answer<"listApiLogs">["data"][number];
type Filter = Pick<Query<"listApiLogs">, "method" | "status_class">;

const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;
const CLASSES = ["2", "4", "5"] as const;
const SHOWN = 20;
const MOST_SHOWN = 1_000;
/** Pages that are read for the calls to show: few may pass the filters. */
const MOST_PAGES = 50;

const timeOf = ({ created_at }: Call) => Date.parse(created_at);

/** True for what `sluice listen` and `sluice logs` do all the time. */
function isPoll({ method, status, path }: Call): boolean {
  return method === "GET" && status === 200 && /^\/v1\/(?:events|api_logs)(?:$|\?)/.test(path);
}

function readFilter(given: Given): Filter {
  const method = METHODS.find((one) => one === given.value("method")?.toUpperCase());
  if (given.has("method") && !method) throw new CommandFailure("usage", `--method is one of ${METHODS.join(", ")}.`);
  const digit = CLASSES.find((one) => new RegExp(`^${one}(?:xx)?$`, "i").test(given.value("status") ?? ""));
  if (given.has("status") && !digit) throw new CommandFailure("usage", "--status is 2xx, 4xx or 5xx.");
  return { ...(method && { method }), ...(digit && { status_class: digit }) };
}

function show(terminal: Terminal, call: Call): void {
  const { created_at, status, method, path, duration_ms, id } = call;
  const ms = `${Math.round(duration_ms)} ms`;
  terminal.print(`${created_at} ${status} ${method.padEnd(6)} ${path} ${ms} ${id}`, call);
}

/** The newest calls that are to be shown, newest first. */
async function newest(
  sluice: Sluice,
  filter: Filter,
  count: number,
  isShown: (call: Call) => boolean,
  signal: AbortSignal,
): Promise<Call[]> {
  const shown: Call[] = [];
  let pages = 0;
  for await (const { data } of sluice.apiLogs.list({ ...filter, limit: 100 }, { signal }).pages()) {
    shown.push(...data.filter(isShown));
    pages += 1;
    if (shown.length >= count || pages >= MOST_PAGES) break;
  }
  return shown.slice(0, count);
}

function pretty(body: string | null): string {
  if (body === null) return "none";
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // It was cut off.
    return body;
  }
}

async function showOne(terminal: Terminal, id: string): Promise<void> {
  const call = await connect(terminal).sluice.apiLogs.get(id, { signal: terminal.signal });
  const facts = [
    `${call.method} ${call.path}`,
    `status    ${call.status} after ${call.duration_ms} ms`,
    `time      ${call.created_at}`,
    `key       ${call.api_key.name ?? ""} ${call.api_key.id}`,
    `address   ${call.address ?? "unknown"}`,
    `request   ${pretty(call.request_body)}`,
    `answer    ${pretty(call.response_body)}`,
  ];
  terminal.print(facts.join("\n"), call);
}

export const logs: Command = {
  name: "logs",
  words: ["[ID]"],
  summary: "Show the newest calls of the API, the oldest of them first, or one call with its bodies",
  options: {
    follow: { value: null, help: "show further calls as they are made, until Ctrl-C" },
    limit: { value: "N", help: `how many to begin with; ${SHOWN} if omitted` },
    method: { value: "METHOD", help: "only GET, POST, PATCH or DELETE" },
    status: { value: "CLASS", help: "only 2xx, 4xx or 5xx" },
    all: { value: null, help: "also the polls of sluice listen and sluice logs" },
  },
  run: async (terminal, given) => {
    const { signal } = terminal;
    const [id] = given.words;
    if (id !== undefined) return showOne(terminal, id);
    const filter = readFilter(given);
    const count = readNumber(given, "limit", SHOWN, MOST_SHOWN);
    const isShown = (call: Call) => given.has("all") || !isPoll(call);
    const patient = connect(terminal).sluice;
    const read = (sluice: Sluice) => (since: Date | null) => {
      const query = { ...filter, limit: 100, ...(since && { created_after: since.toISOString() }) };
      return readAll(sluice.apiLogs.list(query, { signal }));
    };
    const follower = new Follower<Call>(timeOf);
    if (given.has("follow")) {
      const { data } = await patient.apiLogs.list({ ...filter, limit: 1 }, { signal }).firstPage();
      await skipEarlier(follower, data, read(patient));
    }
    const begin = await newest(patient, filter, count, isShown, signal);
    for (const call of begin.toReversed()) show(terminal, call);
    if (!given.has("follow")) return;
    // Calls that were stored after the follower began are in both.
    const shown = new Set(begin.map((call) => call.id));
    const onReady = () => terminal.say("Waiting for calls. Ctrl-C ends it.");
    for await (const call of follow(terminal, { follower, read: read(connect(terminal, 0).sluice), onReady }))
      if (isShown(call) && !shown.has(call.id)) show(terminal, call);
  },
};
