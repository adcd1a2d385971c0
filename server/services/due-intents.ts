// The worker's rounds of due intents. A silent provider does not delay the intents of others.

import { setTimeout as sleep } from "node:timers/promises";
import { NeedsOperator } from "@/server/domain/errors";
import { stuckException } from "@/server/domain/exceptions";
import { nextPollAt } from "@/server/domain/polling";
import type { IntentCore } from "@/server/domain/transition";
import { perCell } from "@/server/platform/cell";
import { type Clock, clockFrom, now } from "@/server/platform/clock";
import { createLanes } from "@/server/platform/lanes";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";
import { traced, withinIntentTrace } from "@/server/platform/tracing/tracing";
import { concurrencies, longestDeadlineMs, providerCount } from "@/server/psp/registry";
import { openStalledException, openStuck } from "./exceptions/stuck";
import { KINDS, type KindName } from "./intent-kinds";
import { followUp } from "./intents/follow-up";
import type { AnyIntentKind } from "./intents/kind";
import { finishRecording } from "./intents/record-answer";

/** Concurrent intents of one kind per provider, by default. The worker claims only intents that it can start at once. */
const PER_PROVIDER = 10;

/** A claimed intent starts within this time or not at all, so that the rest of the claim covers all its calls. */
const BEGIN_WITHIN_MS = 5_000;
/** Time for reads and writes between calls. */
const RECORD_WITHIN_MS = 10_000;
const SHORTEST_CLAIM_MS = 30_000;

/**
 * How long a claim of a due intent lasts, in ms: longer than the calls that follow it can take, each at its full
 * deadline. These are a query, a cancellation, and one creation per provider. A worker that dies delays its intents by
 * this time.
 */
export function claimLeaseMs(): number {
  const calls = 2 + providerCount();
  const longestMs = calls * longestDeadlineMs() + BEGIN_WITHIN_MS + RECORD_WITHIN_MS;
  return Math.max(SHORTEST_CLAIM_MS, longestMs);
}

/** Each cell has its own room at each provider: a cell that does not answer takes none from the others. */
const workOfCell = perCell(
  (): Readonly<Record<KindName, ReturnType<typeof createDueWork>>> => ({
    payment_intent: createDueWork(KINDS.payment_intent),
    payout_intent: createDueWork(KINDS.payout_intent),
    topup_intent: createDueWork(KINDS.topup_intent),
  }),
);

function createDueWork(kind: AnyIntentKind) {
  const { store } = kind;
  const lanes = createLanes((name) => concurrencies()[name] ?? PER_PROVIDER);
  const spanOf =
    ({ id, merchantId, environment, status }: IntentCore<string>) =>
    () => ({
      name: `follow up ${kind.table}`,
      kind: "consumer" as const,
      attributes: {
        "sluice.intent_id": id,
        "sluice.merchant_id": merchantId,
        "sluice.environment": environment,
        "sluice.status": status,
      },
    });

  /** Uses the database time of the claim plus elapsed time, not this machine's clock. */
  async function bringForward(intent: IntentCore<string>, clock: Clock, claimedAt: Date): Promise<void> {
    if (now().getTime() - claimedAt.getTime() > BEGIN_WITHIN_MS) {
      log().warn(
        { intentId: intent.id },
        "a claimed intent was not started in time; it is due again when its claim ends",
      );
      return;
    }
    try {
      await withinIntentTrace(intent.id, () => traced(spanOf(intent), () => followUp(kind, intent, clock)));
    } catch (error) {
      log().error({ err: error, intentId: intent.id }, "the worker could not follow up an intent");
      await backOff(kind, intent, error, clock()).catch((reason: unknown) =>
        log().error(
          { err: reason, intentId: intent.id },
          "the backoff of an intent was not stored; it is due again when its claim ends",
        ),
      );
    }
  }

  /** Claims as many intents as there is room for, and starts them. */
  async function begin(count: number, leaseMs: number): Promise<Promise<void>[]> {
    const room = { perProvider: PER_PROVIDER, left: { ...concurrencies(), ...lanes.room() } };
    const claimedAt = now();
    const claimed = await store.claimDueAcrossMerchants(count, leaseMs, room);
    return claimed.map(({ intent, at }) => {
      const clock = clockFrom(at);
      const work = () => bringForward(intent, clock, claimedAt);
      return lanes.run(intent.provider, () => withinMerchant(intent.merchantId, work));
    });
  }

  return {
    idle: () => lanes.idle(),
    /**
     * Starts one claim and waits until half of it is done, at most `patienceMs`, so that the lanes stay busy between
     * rounds.
     */
    async round(count: number, leaseMs: number, patienceMs: number): Promise<number> {
      const begun = await begin(count, leaseMs);
      await within(patienceMs, half(begun));
      return begun.length;
    },
    /** Claims until `count` are claimed or none is due, and waits for all of them. */
    async drain(count: number, leaseMs: number): Promise<number> {
      let taken = 0;
      for (let found = -1; found !== 0 && taken < count; taken += found) {
        const begun = await begin(count - taken, leaseMs);
        await Promise.all(begun);
        found = begun.length;
      }
      return taken;
    },
  };
}

/** Resolves when half of the work is done. */
function half(work: readonly Promise<void>[]): Promise<void> {
  let left = Math.ceil(work.length / 2);
  return new Promise((resolve) => {
    if (left === 0) resolve();
    for (const one of work) {
      void one.then(() => {
        left -= 1;
        if (left === 0) resolve();
      });
    }
  });
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const { signal } = timer;
  await Promise.race([work, sleep(ms, undefined, { signal }).catch(() => {})]);
  timer.abort();
}

/** A failing intent waits longer each time; one that needs a person opens an exception at once. */
async function backOff({ store }: AnyIntentKind, intent: IntentCore<string>, error: unknown, at: Date): Promise<void> {
  const standing = { awaited: "acceptance", since: intent.updatedAt, reporting: "polls", deadline: null } as const;
  await store.postpone(intent, nextPollAt(at, standing));
  if (error instanceof NeedsOperator) await openStuck(intent, stuckException(intent.id, "impassable", error.why), at);
  else await openStalledException(intent, at);
}

/**
 * Claims up to `count` due intents for `leaseMs` and processes them; returns their number. With `patienceMs` it claims
 * once and waits at most that long for half of them; the rest continue beside the next rounds.
 */
export function workOnDueIntents(
  kind: KindName,
  count: number,
  leaseMs: number,
  patienceMs: number | null = null,
): Promise<number> {
  const work = workOfCell()[kind];
  return patienceMs === null ? work.drain(count, leaseMs) : work.round(count, leaseMs, patienceMs);
}

/** Resolves when all claimed intents are done and, if the database accepts them, their answers are recorded. */
export async function finishDueIntents(): Promise<void> {
  await Promise.all(Object.values(workOfCell()).map(({ idle }) => idle()));
  await finishRecording();
}
