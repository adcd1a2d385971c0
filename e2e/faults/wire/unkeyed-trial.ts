// A trial of an act without an Idempotency-Key: a person who gets no answer looks whether it was done, and repeats it if not.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Trial } from "./scenario";
import type { Lane, Victim } from "./stage";

interface UnkeyedAct<Result> {
  /** Has the victim do it; throws if there is no answer. */
  perform(by: Victim): Promise<Result>;
  /** Does it where nothing is cut. */
  repeat(): Promise<unknown>;
  effects(): Promise<unknown>;
  /** False for an answer of a fault. */
  isDone?(result: Result): boolean;
  /** True if the person repeats it without a look, because it goes on where it ended. */
  readonly isRepeatable?: boolean;
}

/** Statements that a fault has left running have ended by then, in ms. */
const LATE_MS = 300;

/** The effects must be as if the act had been done once; after a fault, all of them or none. */
export async function unkeyedTrial<Result>(act: UnkeyedAct<Result>): Promise<Trial<Result>> {
  const { perform, repeat, effects, isDone = () => true, isRepeatable = false } = act;
  const before = await effects();
  let isSettled = false;
  return {
    perform,
    async outcome(result) {
      isSettled ||= result !== null && isDone(result);
      if (!isSettled) {
        await sleep(LATE_MS);
        if (isRepeatable || isDeepStrictEqual(await effects(), before)) await repeat();
        isSettled = true;
      }
      const found = await effects();
      if (isDeepStrictEqual(found, before)) throw new Error("nothing has changed");
      return found;
    },
  };
}

/**
 * Returns what reads the changes that people or operators make from now on, by the audit log. A provider's instructions are
 * left out: the creating request records them as its member, and the worker does if that request dies.
 */
export async function changesFromNow({ bridge }: Lane, merchantId: string): Promise<() => Promise<readonly string[]>> {
  const { database } = bridge.world;
  const entries = () =>
    database.query<{ id: string; action: string }>(
      `SELECT id, action FROM audit_entry WHERE merchant_id = $1 AND actor_type IN ('member', 'operator')
         AND action NOT LIKE '%.provider_instructions'
       ORDER BY action, id`,
      merchantId,
    );
  const known = new Set((await entries()).map(({ id }) => id));
  return async () => (await entries()).filter(({ id }) => !known.has(id)).map(({ action }) => action);
}
