// Clients that write at random, with a payer, an approver and a merchant who changes their mind; and what they were told.
import { setTimeout as sleep } from "node:timers/promises";
import { paymentBody, payoutBody, topupBody, unused } from "../../rest/bodies";
import type { Bridge } from "../../rest/bridge";
import type { Answer } from "../../support/api";
import { type Attempt, settleWrite } from "../postgres/load";

export const KINDS = {
  payment: { path: "/payment_intents", table: "payment_intent", bodyOf: () => paymentBody({ amount: "2500" }) },
  payout: { path: "/payout_intents", table: "payout_intent", bodyOf: () => payoutBody({ amount: "100" }) },
  topup: { path: "/topup_intents", table: "topup_intent", bodyOf: () => topupBody() },
} as const;
export type Kind = keyof typeof KINDS;

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
}

/** Chances in 100 of what a client does next; the rest reads. */
const CHANCES = { payment: 30, payout: 65, topup: 75, replay: 90 } as const;
const PAUSE_MS = 50;
const SETTLES_WITHIN_MS = 60_000;
const CANCELLABLE_OR_NOT: readonly number[] = [202, 422];

const idOf = ({ body }: Answer): string => (body as { id: string }).id;

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

/** Lets eight clients do this many operations together. `draw` returns a random whole number below its argument. */
export async function playClients(
  bridge: Bridge,
  draw: (below: number) => number,
  { clients, operations }: { readonly clients: number; readonly operations: number },
): Promise<Story> {
  const { live, psp, approve } = bridge;
  const story: Story = { created: [], attempts: [], problems: [], operations: 0 };

  async function settled(what: string, send: () => Promise<Answer>): Promise<Answer | null> {
    const { attempts, answer } = await settleWrite(send);
    story.attempts.push(...attempts);
    if (answer === null) story.problems.push(`${what} got no definite answer`);
    return answer;
  }

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
    const answer = await settled(`a ${kind}`, send);
    if (!answer) return;
    story.created.push({ kind, merchantReference, send, answer });
    if (answer.status === 201) await follow(kind, idOf(answer));
    else story.problems.push(`a ${kind} was answered ${answer.status}: ${answer.text}`);
  }

  async function replay({ kind, send, answer: first }: Created): Promise<void> {
    const again = await settled(`the replay of a ${kind}`, send);
    if (again && (again.status !== first.status || again.text !== first.text))
      story.problems.push(`the replay of ${first.text} was answered ${again.status}: ${again.text}`);
  }

  async function read({ kind, answer: first }: Created): Promise<void> {
    const answer = await settled(`a read of a ${kind}`, () => live.get(`${KINDS[kind].path}/${idOf(first)}`));
    if (answer && answer.status !== 200) story.problems.push(`${idOf(first)} was answered ${answer.status} to a read`);
  }

  async function operate(): Promise<void> {
    const chance = draw(100);
    const earlier = story.created.length > 0 ? story.created[draw(story.created.length)] : undefined;
    if (chance < CHANCES.payment || !earlier) return create("payment");
    if (chance < CHANCES.payout) return create("payout");
    if (chance < CHANCES.topup) return create("topup");
    return chance < CHANCES.replay ? replay(earlier) : read(earlier);
  }

  async function client(): Promise<void> {
    while (story.operations < operations) {
      story.operations += 1;
      await operate();
    }
  }

  await Promise.all(Array.from({ length: clients }, client));
  return story;
}

/** Approved before by an act without an answer, or cancelled at the same moment. */
function ignoreDecided(error: unknown): void {
  if (!/already approved|is (processing|succeeded|failed|cancelled)/.test(String(error))) throw error;
}
