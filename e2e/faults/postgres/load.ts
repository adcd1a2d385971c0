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

interface Attempt {
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
  /** The definite answer; null if there was none in time. */
  readonly answer: Answer | null;
}

export interface Load {
  /** Writes with a definite answer so far. */
  count(): number;
  /** Ends it, and returns every write. */
  stop(): Promise<readonly Written[]>;
}

/** Starts the clients with the live key of the bridge's merchant. */
export function startLoad({ live, approve }: Bridge): Load {
  const written: Written[] = [];
  const toApprove: string[] = [];
  let isOver = false;

  async function attempt(
    call: () => Promise<Answer>,
  ): Promise<{ readonly attempt: Attempt; readonly answer: Answer | null }> {
    const startedAt = performance.now();
    const answer = await call().catch(() => null);
    const hasRetryAfter = answer !== null && answer.headers.get("retry-after") !== null;
    return { attempt: { status: answer?.status ?? 0, hasRetryAfter, ms: performance.now() - startedAt }, answer };
  }

  async function write({ path, table, bodyOf }: (typeof KINDS)[number]): Promise<void> {
    const body = bodyOf();
    const options = { headers: { "idempotency-key": unused("load") } };
    const attempts: Attempt[] = [];
    let definite: Answer | null = null;
    for (const end = Date.now() + SETTLES_WITHIN_MS; definite === null && Date.now() < end; ) {
      const tried = await attempt(() => live.post(path, body, options));
      attempts.push(tried.attempt);
      if (tried.answer && tried.answer.status < 500 && !tried.attempt.hasRetryAfter) definite = tried.answer;
      else await sleep(PAUSE_MS);
    }
    written.push({ table, reference: body.merchant_reference ?? "", attempts, answer: definite });
    if (table === "payout_intent" && definite?.status === 201) toApprove.push((definite.body as { id: string }).id);
  }

  async function client(offset: number): Promise<void> {
    for (let n = offset; !isOver; n += 1) await write(KINDS[n % KINDS.length] as (typeof KINDS)[number]);
  }

  async function approver(): Promise<void> {
    while (!isOver || toApprove.length > 0) {
      const [id] = toApprove;
      // A person without an answer tries again; a payout that is approved already refuses.
      const isDone = id !== undefined && (await approve(id).then(() => true, isApproved));
      if (isDone) toApprove.shift();
      else await sleep(PAUSE_MS);
    }
  }

  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, offset) => client(offset)));
  const approving = approver();
  return {
    count: () => written.filter(({ answer }) => answer !== null).length,
    async stop() {
      isOver = true;
      await clients;
      await approving;
      return written;
    },
  };
}

function isApproved(error: unknown): boolean {
  return /already approved|is processing|is succeeded/.test(String(error));
}
