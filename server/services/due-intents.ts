// Owns working on intents that are due, of any kind, so that no provider's silence holds up the intents of another.
import { setTimeout as sleep } from "node:timers/promises";
import type { Claimed } from "@/server/db/intents/store";
import { paymentIntents, payoutIntents, topupIntents } from "@/server/db/intents/stores";
import { stuckException } from "@/server/domain/exceptions";
import { nextLook } from "@/server/domain/polling";
import type { IntentCore } from "@/server/domain/transition";
import { type Clock, clockFrom } from "@/server/platform/clock";
import { createLanes } from "@/server/platform/lanes";
import { log } from "@/server/platform/log";
import { Impassable } from "./exceptions/impassable";
import { openIfStandingStill, openStuck } from "./exceptions/stuck";
import { followUpPayment } from "./payment-intents/follow-up";
import { followUpPayout } from "./payout-intents/follow-up";
import { followUpTopup } from "./topup-intents/follow-up";

type Kind = "payment_intent" | "payout_intent" | "topup_intent";

/** So many intents of one kind are with one provider at a time; while they are, further ones of it are not claimed. */
const PER_PROVIDER = 10;

const WORK = {
  payment_intent: worker(paymentIntents, followUpPayment),
  payout_intent: worker(payoutIntents, followUpPayout),
  topup_intent: worker(topupIntents, followUpTopup),
} satisfies Record<Kind, unknown>;

interface Due<Intent> {
  claimDueAcrossMerchants(count: number, leaseMs: number, except: readonly string[]): Promise<Claimed<Intent>[]>;
  postpone(intent: IntentCore<string>, dueAt: Date): Promise<void>;
}

function worker<Intent extends IntentCore<string> & { readonly provider: string }>(
  store: Due<Intent>,
  followUp: (intent: Intent, clock: Clock) => Promise<void>,
) {
  const lanes = createLanes(PER_PROVIDER);

  /** By the time at which the intent was claimed, carried on: this machine's own clock decides nothing. */
  async function bringForward(intent: Intent, clock: Clock): Promise<void> {
    try {
      await followUp(intent, clock);
    } catch (error) {
      log().error({ err: error, intentId: intent.id }, "an intent was not followed up");
      await backOff(store, intent, error, clock()).catch((reason: unknown) =>
        log().error({ err: reason, intentId: intent.id }, "it is tried again when its claim has run out"),
      );
    }
  }

  return {
    idle: () => lanes.idle(),
    async round(count: number, leaseMs: number, patienceMs: number | null): Promise<number> {
      const claimed = await store.claimDueAcrossMerchants(count, leaseMs, lanes.full());
      const all = Promise.all(
        claimed.map(({ intent, at }) => {
          const clock = clockFrom(at);
          return lanes.run(intent.provider, () => bringForward(intent, clock));
        }),
      );
      if (patienceMs === null) await all;
      else await within(patienceMs, all);
      return claimed.length;
    },
  };
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const { signal } = timer;
  await Promise.race([work, sleep(ms, undefined, { signal }).catch(() => {})]);
  timer.abort();
}

/** One that fails waits longer each time; one that only a person can help is shown to people at once. */
async function backOff<Intent extends IntentCore<string>>(
  store: Due<Intent>,
  intent: Intent,
  error: unknown,
  at: Date,
): Promise<void> {
  await store.postpone(intent, nextLook(at, intent.updatedAt, "provider", null));
  if (error instanceof Impassable) await openStuck(intent, stuckException(intent.id, "impassable", error.why), at);
  else await openIfStandingStill(intent, at);
}

/**
 * Claims up to `count` due intents for `leaseMs` and brings each forward; returns how many there were. With `patienceMs`
 * it waits no longer than that for them: the rest goes on beside the next rounds.
 */
export function workOnDueIntents(
  kind: Kind,
  count: number,
  leaseMs: number,
  patienceMs: number | null = null,
): Promise<number> {
  return WORK[kind].round(count, leaseMs, patienceMs);
}

/** Resolves when nothing that was claimed is under way any more. */
export async function finishDueIntents(): Promise<void> {
  await Promise.all(Object.values(WORK).map(({ idle }) => idle()));
}
