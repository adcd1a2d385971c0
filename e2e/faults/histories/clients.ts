// Clients that write at random, with a payer, an approver and a merchant who changes their mind; and what they were told.
import { setTimeout as sleep } from "node:timers/promises";
import { unused } from "../../rest/bodies";
import type { Bridge } from "../../rest/bridge";
import type { Answer } from "../../support/api";
import { type Attempt, settleWrite } from "../postgres/load";
import { KINDS, type Kind } from "./kinds";
import type { Sightings } from "./sightings";
import { complaintsAboutWalk, walkList } from "./walk";

/** A creation, with the definite answer to it. */
export interface Created {
  readonly kind: Kind;
  readonly merchantReference: string;
  readonly send: () => Promise<Answer>;
  readonly answer: Answer;
}

/** What the clients have done and seen. */
export interface Story {
  readonly created: Created[];
  readonly attempts: Attempt[];
  readonly problems: string[];
  operations: number;
  /** Lists that were read to their end. */
  walks: number;
}

/** Chances in 100 of what a client does next; the rest asks for an intent's event. */
const CHANCES = { payment: 30, payout: 65, topup: 75, replay: 87, read: 96 } as const;
/** One operation of so many walks a list, whatever is drawn. */
const WALK_EVERY = 50;
/** A walk takes about so many pages, drawn between these. */
const WALK_PAGES = { least: 4, most: 8 } as const;
/** The largest page there is. */
const MOST_ROWS = 100;
/** A list begins so long before the history, in ms: the service rounds times. */
const LIST_BEGINS_BEFORE_MS = 1_000;
const PAUSE_MS = 50;
const SETTLES_WITHIN_MS = 60_000;
const CANCELLABLE_OR_NOT: readonly number[] = [202, 422];

const intentOf = ({ body }: Answer) => {
  const { id, status } = body as { readonly id: string; readonly status: string };
  return { id, status };
};
const idOf = (answer: Answer): string => intentOf(answer).id;

/** Repeats what a fault may interrupt. Throws the last error after a minute. */
async function eventually<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const end = Date.now() + SETTLES_WITHIN_MS; ; await sleep(PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

interface ClientOptions {
  readonly clients: number;
  /** Of all clients together. */
  readonly operations: number;
  /** Gets every status that an answer shows. */
  readonly sightings: Sightings;
  /** Told of each definite answer. */
  readonly onAnswered: () => void;
}

/** Lets clients do this many operations together. `draw` returns a random whole number below its argument. */
export async function playClients(
  bridge: Bridge,
  draw: (below: number) => number,
  { clients, operations, sightings, onAnswered }: ClientOptions,
): Promise<Story> {
  const { live, psp, approve } = bridge;
  const story: Story = { created: [], attempts: [], problems: [], operations: 0, walks: 0 };
  const listedFrom = new Date(Date.now() - LIST_BEGINS_BEFORE_MS).toISOString();

  /** Sends until there is a definite answer; `since` is when its attempt began, `tries` the number of attempts. */
  async function timed(what: string, send: () => Promise<Answer>) {
    let since = 0;
    const { attempts, answer } = await settleWrite(() => {
      since = performance.now();
      return send();
    });
    story.attempts.push(...attempts);
    if (answer === null) story.problems.push(`${what} got no definite answer`);
    else onAnswered();
    return { answer, since, tries: attempts.length };
  }
  const settled = async (what: string, send: () => Promise<Answer>) => (await timed(what, send)).answer;

  const happen = (id: string, event: "executed" | "expired") =>
    eventually(async () => {
      const reference = await bridge.referenceOf(id);
      const known = await psp.record({ reference });
      // The provider cannot know the payer before it has the intent; and a repeated order has happened before.
      if (known.map((line) => line.event).join() === "accepted")
        await psp.happen({ reference, event, quiet: draw(2) === 0 });
    });

  async function cancel(id: string): Promise<void> {
    const headers = { "idempotency-key": unused("cancel") };
    const answer = await settled(`the cancellation of ${id}`, () =>
      live.post(`/payout_intents/${id}/cancel`, {}, { headers }),
    );
    if (answer && !CANCELLABLE_OR_NOT.includes(answer.status))
      story.problems.push(`the cancellation of ${id} was answered ${answer.status}: ${answer.text}`);
  }

  /** What the world does with a new intent. */
  async function follow(kind: Kind, id: string): Promise<void> {
    const chance = draw(100);
    if (kind === "payout") {
      if (chance < 65) await eventually(() => approve(id).catch(ignoreDecided));
      else if (chance < 85) await cancel(id);
      else if (chance < 95) await Promise.all([cancel(id), eventually(() => approve(id).catch(ignoreDecided))]);
    } else if (chance < 60) await happen(id, "executed");
    else if (chance < 70) await happen(id, "expired");
  }

  async function create(kind: Kind): Promise<void> {
    const { path, bodyOf } = KINDS[kind];
    const body = bodyOf();
    const options = { headers: { "idempotency-key": unused("history") } };
    const send = () => live.post(path, body, options);
    const merchantReference = body.merchant_reference ?? "";
    const { answer, since, tries } = await timed(`a ${kind}`, send);
    if (!answer) return;
    story.created.push({ kind, merchantReference, send, answer });
    if (answer.status === 201) {
      // A repeated answer shows what was, not what is.
      if (tries === 1) sightings.see({ kind, ...intentOf(answer), by: "the answer to its creation" }, since);
      await follow(kind, idOf(answer));
    } else story.problems.push(`a ${kind} was answered ${answer.status}: ${answer.text}`);
  }

  async function replay({ kind, send, answer: first }: Created): Promise<void> {
    const again = await settled(`the replay of a ${kind}`, send);
    if (again && (again.status !== first.status || again.text !== first.text))
      story.problems.push(`the replay of ${first.text} was answered ${again.status}: ${again.text}`);
  }

  async function read({ kind, answer: first }: Created): Promise<void> {
    const { answer, since } = await timed(`a read of a ${kind}`, () => live.get(`${KINDS[kind].path}/${idOf(first)}`));
    if (answer?.status === 200) sightings.see({ kind, ...intentOf(answer), by: "a read" }, since);
    else if (answer) story.problems.push(`${idOf(first)} was answered ${answer.status} to a read`);
  }

  /** Reads a list from its newest row to its oldest, while the other clients write. */
  async function walk({ kind }: Created): Promise<void> {
    const before = story.created.filter((one) => one.kind === kind && one.answer.status === 201);
    const pages = WALK_PAGES.least + draw(WALK_PAGES.most - WALK_PAGES.least + 1);
    const limit = Math.min(MOST_ROWS, Math.ceil((before.length + 1) / pages));
    const path = `${KINDS[kind].path}?limit=${limit}&created_after=${encodeURIComponent(listedFrom)}`;
    const { rows, problems } = await walkList((page) => timed(`a page of ${kind}s`, () => live.get(page)), path);
    for (const { since, ...listed } of rows) sightings.see({ kind, ...listed, by: "a list" }, since);
    const complaints = complaintsAboutWalk(
      before.map(({ answer }) => idOf(answer)),
      rows.map(({ id }) => id),
    );
    story.problems.push(...(problems.length > 0 ? problems : complaints));
    if (problems.length === 0) story.walks += 1;
  }

  /** Asks for the events of an intent: it has one once it has ended. */
  async function askForEvent({ kind, answer: first }: Created): Promise<void> {
    const id = idOf(first);
    const answer = await settled("a list of events", () => live.get(`/events?intent_id=${id}`));
    if (!answer) return;
    if (answer.status !== 200) return void story.problems.push(`the events of ${id} were answered ${answer.status}`);
    const { data: events } = answer.body as {
      readonly data: readonly { readonly data: { readonly status: string } }[];
    };
    for (const { data } of events) sightings.hear({ kind, id, status: data.status, by: "the list of events" });
    if (events.length > 1) story.problems.push(`${id} has ${events.length} events`);
  }

  async function operate(number: number): Promise<void> {
    const chance = draw(100);
    const earlier = story.created.length > 0 ? story.created[draw(story.created.length)] : undefined;
    if (earlier && number % WALK_EVERY === 0) return walk(earlier);
    if (chance < CHANCES.payment || !earlier) return create("payment");
    if (chance < CHANCES.payout) return create("payout");
    if (chance < CHANCES.topup) return create("topup");
    if (chance < CHANCES.replay) return replay(earlier);
    return chance < CHANCES.read ? read(earlier) : askForEvent(earlier);
  }

  async function client(): Promise<void> {
    while (story.operations < operations) {
      story.operations += 1;
      await operate(story.operations);
    }
  }

  await Promise.all(Array.from({ length: clients }, client));
  return story;
}

/** Approved before by an act without an answer, or cancelled at the same moment. */
function ignoreDecided(error: unknown): void {
  if (!/already approved|is (processing|succeeded|failed|cancelled)/.test(String(error))) throw error;
}
