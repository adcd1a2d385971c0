// Clients that create intents and retry each until its answer is definite, as merchants should; and a person who approves.
import { setTimeout as sleep } from "node:timers/promises";
import { paymentBody, payoutBody, topupBody, unused } from "../../rest/bodies";
import type { Bridge } from "../../rest/bridge";
import type { Answer } from "../../support/api";

const CLIENTS = 8;
const PAUSE_MS = 100;
const SETTLES_WITHIN_MS = 90_000;

/** What the n-th write of a client creates. */
const KINDS = [
  { path: "/payment_intents", table: "payment_intent", bodyOf: paymentBody },
  { path: "/payout_intents", table: "payout_intent", bodyOf: () => payoutBody({ amount: "100" }) },
  { path: "/topup_intents", table: "topup_intent", bodyOf: topupBody },
] as const;

export interface Attempt {
  /** 0 if the connection broke. */
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly ms: number;
}

/** A write with all answers to it. */
export interface Written {
  readonly table: (typeof KINDS)[number]["table"];
  readonly reference: string;
  readonly attempts: readonly Attempt[];
  /** Sends it again, under its Idempotency-Key. */
  readonly send: () => Promise<Answer>;
  /** Whether there was a definite answer in time. */
  readonly isDefinite: boolean;
  /** Which intent that answer named; null if it named none. */
  readonly id: string | null;
}

/** What a long run keeps of an answer: a whole one holds thousands of bytes. */
function outcomeOf({ attempts, answer }: Settled): Pick<Written, "attempts" | "isDefinite" | "id"> {
  const { id = null } = (answer?.body ?? {}) as { id?: string };
  return { attempts, isDefinite: answer !== null, id };
}

export interface Load {
  /** Writes with a definite answer so far. */
  count(): number;
  /** Ends it, and returns every write. */
  stop(): Promise<readonly Written[]>;
}

async function attemptOf(send: () => Promise<Answer>) {
  const startedAt = performance.now();
  const answer = await send().catch(() => null);
  const hasRetryAfter = answer !== null && answer.headers.get("retry-after") !== null;
  const attempt: Attempt = { status: answer?.status ?? 0, hasRetryAfter, ms: performance.now() - startedAt };
  return { attempt, answer, startedAt };
}

interface Settled {
  readonly attempts: readonly Attempt[];
  /** When the last attempt was sent, in ms of `performance.now()`. */
  readonly sentAt: number;
  /** The definite answer; null if there was none in time. */
  readonly answer: Answer | null;
}

/** Sends a write until its answer is definite. */
export async function settleWrite(send: () => Promise<Answer>): Promise<Settled> {
  const attempts: Attempt[] = [];
  let sentAt = performance.now();
  for (const end = Date.now() + SETTLES_WITHIN_MS; Date.now() < end; await sleep(PAUSE_MS)) {
    const { attempt, answer, startedAt } = await attemptOf(send);
    attempts.push(attempt);
    sentAt = startedAt;
    if (answer && answer.status < 500 && !attempt.hasRetryAfter) return { attempts, answer, sentAt };
  }
  return { attempts, answer: null, sentAt };
}

/** As merchants do with writes that they cannot find: again, under the same key and reference. A person approves again. */
export async function repeat(bridge: Bridge, lost: readonly Written[]): Promise<Written[]> {
  const again: Written[] = [];
  for (const write of lost) {
    const outcome = outcomeOf(await settleWrite(write.send));
    again.push({ ...write, ...outcome });
    if (write.table === "payout_intent" && outcome.id !== null) await bridge.approve(outcome.id);
  }
  return again;
}

export interface LoadOptions {
  /** 8 by default. */
  readonly clients?: number;
  /** All clients together begin at most so many writes in a second. Without it, each writes as fast as it gets answers. */
  readonly perSecond?: number;
  /** Told of each intent that an answer named. */
  readonly onCreated?: (table: Written["table"], id: string) => void;
  /** Told of each write that was answered 201: when the answered attempt was sent, in ms of `performance.now()`. */
  readonly onAcknowledged?: (sentAt: number) => void;
}

/** Starts the clients with the live key of the bridge's merchant. */
export function startLoad(
  { live, approve }: Pick<Bridge, "live" | "approve">,
  {
    clients: count = CLIENTS,
    perSecond = Number.POSITIVE_INFINITY,
    onCreated = () => {},
    onAcknowledged = () => {},
  }: LoadOptions = {},
): Load {
  const written: Written[] = [];
  const toApprove: string[] = [];
  let isOver = false;
  let isWritten = false;

  async function write({ path, table, bodyOf }: (typeof KINDS)[number]): Promise<void> {
    const body = bodyOf();
    const options = { headers: { "idempotency-key": unused("load") } };
    const send = () => live.post(path, body, options);
    const settled = await settleWrite(send);
    const outcome = outcomeOf(settled);
    written.push({ table, reference: body.merchant_reference ?? "", send, ...outcome });
    if (settled.answer?.status === 201) onAcknowledged(settled.sentAt);
    if (outcome.id === null) return;
    onCreated(table, outcome.id);
    if (table === "payout_intent") toApprove.push(outcome.id);
  }

  async function client(offset: number): Promise<void> {
    const everyMs = (count * 1_000) / perSecond;
    for (let n = offset; !isOver; n += 1) {
      const next = performance.now() + everyMs;
      await write(KINDS[n % KINDS.length] as (typeof KINDS)[number]);
      await sleep(Math.max(0, next - performance.now()));
    }
  }

  async function approver(): Promise<void> {
    while (!isWritten || toApprove.length > 0) {
      const [id] = toApprove;
      // A person without an answer tries again; a payout that is approved already refuses.
      const isDone = id !== undefined && (await approve(id).then(() => true, needsNoApproval));
      if (isDone) toApprove.shift();
      else await sleep(PAUSE_MS);
    }
  }

  const clients = Promise.all(Array.from({ length: count }, (_, offset) => client(offset)));
  const approving = approver();
  return {
    count: () => written.filter(({ isDefinite }) => isDefinite).length,
    async stop() {
      isOver = true;
      await clients;
      isWritten = true;
      await approving;
      return written;
    },
  };
}

/** Approved before, or lost by a database that went back to an earlier time. */
function needsNoApproval(error: unknown): boolean {
  return /already approved|is processing|is succeeded|not_found/.test(String(error));
}
