// Money in suspense at a desk, and refunds of it.
import { setTimeout as sleep } from "node:timers/promises";
import { createPayment, simulate } from "../../rest/calls";
import { bookingsOf } from "../../rest/database";
import type { Desk } from "./desk";
import { changesOf } from "./effects";

const PAUSE_MS = 50;

/** The open exception about money that came after its payment had expired. */
export async function lateMoney({ lane }: Desk, changes: Parameters<typeof createPayment>[1] = {}): Promise<string> {
  const api = lane.api(lane.merchant.keys.test);
  const { id } = await createPayment(api, changes);
  for (const outcome of ["expired", "succeeded"]) await simulate(api, id, outcome);
  const { database } = lane.bridge.world;
  const [exception] = await database.query<{ id: string }>("SELECT id FROM exception WHERE object_id = $1", id);
  if (!exception) throw new Error(`no exception about ${id}`);
  return exception.id;
}

/** A refund of such money that a finance member has proposed. */
export async function proposedRefund(desk: Desk, changes?: Parameters<typeof createPayment>[1]): Promise<string> {
  const input = { id: await lateMoney(desk, changes), reason: "Paid late." };
  return (await desk.call<{ id: string }>(desk.people.finance, "refunds.propose", input)).id;
}

/** The work on a refund that is confirmed and was not sent yet. */
export async function confirmedRefund(desk: Desk) {
  const { lane, people } = desk;
  const { database } = lane.bridge.world;
  const id = await proposedRefund(desk);
  await desk.call(people.owner, "refunds.confirm", { id });
  const about = "SELECT payment_id, state FROM suspense_refund WHERE id = $1";
  return {
    async effects() {
      const [refund] = await database.query<{ payment_id: string; state: string }>(about, id);
      const bookings = await bookingsOf(database, refund?.payment_id ?? "");
      return { state: refund?.state, changes: await changesOf(lane, id), bookings };
    },
    isDone: (effects: unknown) => (effects as { state: string }).state === "settled",
  };
}

/** A refund that is confirmed and was sent, and which the sandbox leaves pending: its sum ends in 08. */
export async function silentRefund(desk: Desk): Promise<string> {
  const id = await proposedRefund(desk, { amount: "1008" });
  await desk.call(desk.people.owner, "refunds.confirm", { id });
  const answered = "SELECT FROM provider_attempt WHERE intent_id = $1 AND answered_at IS NOT NULL";
  // A later call would outdate what a person finds out about its end.
  while ((await desk.lane.bridge.world.database.query(answered, id)).length === 0) await sleep(PAUSE_MS);
  return id;
}

/** What a member finds out about the end of a refund. */
export const FOUND = { outcome: "failed", evidence: "A letter of the provider." };

/** The proposal of a second owner about the end of such a refund. */
export async function foundEnd(desk: Desk): Promise<string> {
  const input = { id: await silentRefund(desk), ...FOUND };
  return (await desk.call<{ id: string }>(desk.people.secondOwner, "refunds.proposeEnd", input)).id;
}
