// The worker's loops: each claims due rows, calls a service with them and repeats. The row is the job. Each cell has all
// loops to itself, in the services that work for it.
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Cell, cellLabel, inCell, perCell } from "@/server/platform/cell";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { counter } from "@/server/platform/metrics/instruments";
import { reapApiLog } from "@/server/services/api-logs/reap";
import { linkAuditEntries } from "@/server/services/audit/link-entries";
import { applyDueCallbacks } from "@/server/services/callbacks/receive-callback";
import { settleStaysOfWorker } from "@/server/services/cells/settle-stays";
import { claimLeaseMs, finishDueIntents, workOnDueIntents } from "@/server/services/due-intents";
import { resolveEndedStuck } from "@/server/services/exceptions/stuck";
import { foldFigures } from "@/server/services/figures/fold";
import { reapIdempotencyKeys } from "@/server/services/idempotency/reap";
import { settleAbandonedMoves } from "@/server/services/moves/abandoned";
import { removeLeftTriggers } from "@/server/services/moves/leftovers";
import { mailDueNotices } from "@/server/services/notices/notices";
import { reapNotices } from "@/server/services/notices/reap";
import { findNotifications } from "@/server/services/notifications/find";
import { reapNotifications } from "@/server/services/notifications/reap";
import { sendDueNotifications } from "@/server/services/notifications/send";
import { workOnDueRefunds } from "@/server/services/refunds/due-refunds";
import { supersedeOvertaken } from "@/server/services/resolutions/overtaken";
import { fillSearch } from "@/server/services/search/fill";
import { notePeople } from "@/server/services/sign-in/person-cells";
import { reapSessions } from "@/server/services/sign-in/reap-sessions";
import { createDeliveryWork } from "@/server/services/webhooks/deliver-due";
import { reapDeliveries } from "@/server/services/webhooks/deliveries";

/** Lease of a claim of callbacks. If the worker dies, the claim expires and another worker takes the row. */
const CALLBACK_LEASE_MS = 30_000;
const BATCH = 50;
/** How long a round waits for its intents. Calls to a slow provider continue beside the next rounds. */
const PATIENCE_MS = 250;
const IDLE_MS = 200;
const LONGEST_IDLE_MS = 5_000;
/** The pause collects entries, so that one statement links many under load. */
const LINK_PAUSE_MS = 500;
/** Reading figures also adds up unfolded changes, so folding can wait. */
const FOLD_PAUSE_MS = 2_000;
/** How far search is behind when all is well. */
const SEARCH_PAUSE_MS = 1_000;
const NOTICE_PAUSE_MS = 2_000;
const FIND_PAUSE_MS = 2_000;
const SEND_PAUSE_MS = 1_000;
/** How much longer a merchant is closed whose move was killed. */
const ABANDONED_PAUSE_MS = 1_000;
/** How long a merchant can be open in two cells after a failover. Each round asks every cell. */
const STAYS_PAUSE_MS = 5_000;
const REAP_PAUSE_MS = 60_000;
const SWEEP_PAUSE_MS = 30_000;

const countRound = counter({
  name: "sluice_worker_rounds_total",
  help: "Rounds of the worker's loops. A failed round is repeated after a pause.",
  labelNames: ["loop", "result", "cell"],
});

interface Loop {
  readonly name: string;
  /** Pause after a round that found nothing, in ms. */
  readonly idleMs: number | (() => number);
  /** Processes at most one batch; returns the number of items found. */
  round(): Promise<number>;
  /** Waits for work that continues between rounds. */
  finish?(): Promise<void>;
}

const deliveries = perCell(() => createDeliveryWork());

function takeDue(kind: Parameters<typeof workOnDueIntents>[0]): Promise<number> {
  return workOnDueIntents(kind, BATCH, claimLeaseMs(), PATIENCE_MS);
}

/** All work that is done beside requests, of the running work's cell. */
export const LOOPS: readonly Loop[] = [
  { name: "payment intents", idleMs: IDLE_MS, round: () => takeDue("payment_intent"), finish: finishDueIntents },
  { name: "payout intents", idleMs: IDLE_MS, round: () => takeDue("payout_intent"), finish: finishDueIntents },
  { name: "top-up intents", idleMs: IDLE_MS, round: () => takeDue("topup_intent"), finish: finishDueIntents },
  { name: "refunds", idleMs: IDLE_MS, round: () => workOnDueRefunds(BATCH) },
  { name: "callbacks", idleMs: IDLE_MS, round: () => applyDueCallbacks(BATCH, CALLBACK_LEASE_MS) },
  { name: "audit chains", idleMs: LINK_PAUSE_MS, round: async () => Number((await linkAuditEntries()).isBehind) },
  { name: "figures", idleMs: FOLD_PAUSE_MS, round: () => foldFigures() },
  { name: "search", idleMs: SEARCH_PAUSE_MS, round: () => fillSearch() },
  { name: "ended exceptions", idleMs: SWEEP_PAUSE_MS, round: resolveEndedStuck },
  { name: "overtaken resolutions", idleMs: SWEEP_PAUSE_MS, round: supersedeOvertaken },
  {
    name: "deliveries",
    idleMs: () => deliveries().pauseMs(),
    round: () => deliveries().round(),
    finish: () => deliveries().finish(),
  },
  { name: "notices", idleMs: NOTICE_PAUSE_MS, round: mailDueNotices },
  { name: "new notifications", idleMs: FIND_PAUSE_MS, round: () => findNotifications() },
  { name: "notifications", idleMs: SEND_PAUSE_MS, round: () => sendDueNotifications() },
  { name: "abandoned moves", idleMs: ABANDONED_PAUSE_MS, round: settleAbandonedMoves },
  { name: "moved merchants", idleMs: STAYS_PAUSE_MS, round: settleStaysOfWorker },
  { name: "triggers of ended moves", idleMs: REAP_PAUSE_MS, round: removeLeftTriggers },
  { name: "directory of people", idleMs: REAP_PAUSE_MS, round: notePeople },
  { name: "old deliveries", idleMs: REAP_PAUSE_MS, round: reapDeliveries },
  { name: "old API log", idleMs: REAP_PAUSE_MS, round: reapApiLog },
  { name: "old sessions", idleMs: REAP_PAUSE_MS, round: reapSessions },
  { name: "old notices", idleMs: REAP_PAUSE_MS, round: reapNotices },
  { name: "old notifications", idleMs: REAP_PAUSE_MS, round: reapNotifications },
  { name: "expired idempotency keys", idleMs: REAP_PAUSE_MS, round: () => reapIdempotencyKeys() },
];

/** Runs until the signal aborts, then finishes started work before it returns. */
export async function runWorker(signal: AbortSignal): Promise<void> {
  const { workerCells: cells } = env();
  // Each pausing loop adds listeners; this many are not a leak.
  setMaxListeners(2 * LOOPS.length * cells.length, signal);
  const run = (cell: Cell) => LOOPS.map((loop) => inCell(cell, () => runLoop(loop, cell, signal)));
  await Promise.all(cells.flatMap(run));
}

/** Repeats rounds. A failed round, for example without a database, is retried with exponential backoff. */
async function runLoop({ name, idleMs, round, finish }: Loop, cell: Cell, signal: AbortSignal): Promise<void> {
  const label = cellLabel(cell.name);
  let failures = 0;
  while (!signal.aborted) {
    let found = 0;
    try {
      found = await round();
      failures = 0;
      countRound({ loop: name, result: "done", ...label });
    } catch (error) {
      failures += 1;
      countRound({ loop: name, result: "failed", ...label });
      log().error({ err: error, loop: name, ...label }, "a round of a worker loop failed");
    }
    if (found > 0) continue;
    const idle = typeof idleMs === "number" ? idleMs : idleMs();
    const pause = failures > 0 ? Math.min(LONGEST_IDLE_MS, IDLE_MS * 2 ** failures) : idle;
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
  await finish?.();
}
