// A merchant that moves back and forth between the cells while it creates payments.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { creation } from "../cases/creates";
import { sendPaced } from "../paced";
import { type Party, paymentBody } from "../stage";
import type { Span } from "./neighbors";
import { CELLS, type Scene } from "./scene";

/** Creates a second, of the merchant that moves. */
export const MOVER_PER_SECOND = 5;
/** How soon a create that was answered 503 is sent again. Less than Retry-After, so that the pause is what is measured. */
const RETRY_MS = 50;
/** What a move leaves behind for the worker belongs to the move. */
const AFTERMATH_MS = 250;
/** Time without a move between two moves, in ms. */
export const BETWEEN_MS = 5_000;

export interface MoveFigures {
  /** The new cell. */
  readonly to: string;
  /** Of the merchant, in all tables. */
  readonly rows: number;
  readonly durationMs: number;
  readonly pausedMs: number;
}

/** The creates of a merchant during its moves. */
export interface OwnCreates {
  readonly requests: number;
  /** Those that were answered 503 first. */
  readonly retried: number;
  /** Until the answer with success, in ms. */
  readonly longestMs: number;
  /** Acknowledged payments that do not exist exactly once in both cells together. */
  readonly wrong: number;
}

interface Move {
  readonly figures: MoveFigures;
  /** With what it leaves behind. */
  readonly span: Span;
}

/** The moves of one merchant. */
export interface MovesOfOne {
  readonly moves: readonly Move[];
  /** The time between them. */
  readonly between: readonly Span[];
  readonly own: OwnCreates;
}

interface Printed {
  readonly phase: string;
  readonly rows: Readonly<Record<string, number>>;
  readonly duration_ms: number;
  readonly paused_ms: number;
}

/** Waits so many ms while nobody moves. */
export async function rest(ms: number): Promise<Span> {
  const from = performance.now();
  await sleep(ms);
  return { from, to: performance.now() };
}

async function moveOnce({ run }: Scene, { id }: Party, to: string): Promise<Move> {
  const from = performance.now();
  const printed = await run<Printed>("merchants", "move", "--merchant", id, "--to", to, "--experimental");
  if (printed.phase !== "done") throw new Error(`the move ended as ${printed.phase}`);
  await sleep(AFTERMATH_MS);
  const rows = Object.values(printed.rows).reduce((sum, count) => sum + count, 0);
  const { duration_ms: durationMs, paused_ms: pausedMs } = printed;
  process.stdout.write(`to ${to}: ${rows} rows, ${durationMs} ms, of them ${pausedMs} ms paused\n`);
  return { figures: { to, rows, durationMs, pausedMs }, span: { from, to: performance.now() } };
}

/** The number of these payments that do not exist exactly once. */
async function countWrong({ databases }: Scene, { id }: Party, references: readonly string[]): Promise<number> {
  const copies = new Map<string, number>();
  for (const { query } of databases) {
    const rows = await query<{ reference: string }>(
      "SELECT merchant_reference AS reference FROM payment_intent WHERE merchant_id = $1 AND merchant_reference = ANY($2)",
      id,
      references,
    );
    for (const { reference } of rows) copies.set(reference, (copies.get(reference) ?? 0) + 1);
  }
  return references.filter((reference) => copies.get(reference) !== 1).length;
}

interface Creates {
  /** How often each was sent, and how long it took until its answer with success, in ms. */
  readonly answers: readonly { readonly tries: number; readonly ms: number }[];
  /** The merchant's references of all of them. */
  readonly references: readonly string[];
}

/** Lets a merchant create payments until the work is done. Throws if one of them is not acknowledged in the end. */
async function createDuring({ baseUrl }: Scene, { authorization }: Party, work: () => Promise<void>): Promise<Creates> {
  const ending = new AbortController();
  const references: string[] = [];
  const answers: { readonly tries: number; readonly ms: number }[] = [];
  const load = sendPaced({
    baseUrl,
    perSecond: MOVER_PER_SECOND,
    seconds: Number.POSITIVE_INFINITY,
    signal: ending.signal,
    retryAfterMs: RETRY_MS,
    next: () => {
      const reference = `order-${randomUUID()}`;
      references.push(reference);
      return { ...creation(), body: paymentBody(reference), authorization };
    },
    onAnswer: (ms, tries) => answers.push({ ms, tries }),
  });
  try {
    await work();
  } finally {
    ending.abort();
    await load;
  }
  return { answers, references };
}

/**
 * Moves a merchant of the first cell so often, to the other cell in turn, while it creates payments. It creates none between
 * moves, so that a small merchant stays small. Throws if a move fails.
 */
export async function moveInTurn(scene: Scene, party: Party, times: number): Promise<MovesOfOne> {
  const moves: Move[] = [];
  const between: Span[] = [];
  const creates: Creates[] = [];
  for (let n = 1; n <= times; n += 1) {
    if (n > 1) between.push(await rest(BETWEEN_MS));
    const move = async () => void moves.push(await moveOnce(scene, party, CELLS[n % CELLS.length] ?? ""));
    creates.push(await createDuring(scene, party, move));
  }
  const answers = creates.flatMap((one) => one.answers);
  const references = creates.flatMap((one) => one.references);
  return {
    moves,
    between,
    own: {
      requests: references.length,
      retried: answers.filter(({ tries }) => tries > 1).length,
      longestMs: Math.max(...answers.map(({ ms }) => ms)),
      wrong: await countWrong(scene, party, references),
    },
  };
}
