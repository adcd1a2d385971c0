// A scenario for every loop of the worker, and for each kind of work that it does. After a fault, the claims end and the next
// worker plays the loop.
import { setTimeout as sleep } from "node:timers/promises";
import { createPayment, createPayout, createTopup, simulate } from "../../rest/calls";
import { createEndpoint, deliveriesOf, ENDPOINTS, endedPayment, remove } from "../../rest/webhook-calls";
import { changesOf, type IntentEffects, intentEffects } from "./effects";
import { settle } from "./rest-trial";
import { type Scenario, scenario } from "./scenario";
import type { Lane, Victim } from "./stage";

/** Rounds of the next worker until the work is done. */
const ROUNDS = 40;
const PAUSE_MS = 50;

/** The work of a trial. */
interface Work {
  effects(): Promise<unknown>;
  /** True once nothing more will come of it; by default after the next worker's round. */
  isDone?(effects: unknown): boolean;
}

const isFinal = (effects: unknown) =>
  ["succeeded", "failed", "expired", "cancelled"].includes((effects as IntentEffects).status);

/** The scenarios of a lane, by loop and kind of work. Its stage must have no worker. */
export function workerScenarios(lane: Lane): Readonly<Record<string, Scenario>> {
  const { bridge, merchant, receiver, api } = lane;
  const { database } = bridge.world;
  const test = api(merchant.keys.test);

  /** As if the claims of a dead worker had run out. */
  async function endClaims(): Promise<void> {
    for (const table of ["payment_intent", "payout_intent", "topup_intent", "delivery", "provider_callback"])
      await database.query(`UPDATE ${table} SET due_at = now() WHERE due_at > now()`);
  }

  function round(name: string, loop: string, prepare: (victim: Victim) => Promise<Work>): Scenario {
    return scenario(name, "worker", async (victim) => {
      const rescuer = await lane.rescuer();
      // Does what is still due, and opens the victim's connections, so that every trial has the same messages.
      for (const process of [rescuer, victim]) await process.run(loop);
      const { effects, isDone = () => true } = await prepare(victim);
      return {
        perform: () => victim.run(loop),
        async outcome() {
          for (let left = ROUNDS; ; left -= 1) {
            await endClaims();
            await rescuer.run(loop);
            const found = await effects();
            if (isDone(found) || left === 0) return found;
            await sleep(PAUSE_MS);
          }
        },
      };
    });
  }

  /** An intent that the loop brings to its end. */
  function ending(
    name: string,
    loop: string,
    table: Parameters<typeof intentEffects>[1],
    begin: () => Promise<string>,
  ): Scenario {
    return round(name, loop, async () => {
      const id = await begin();
      await endClaims();
      return { effects: () => intentEffects(lane, table, id), isDone: isFinal };
    });
  }

  /** Money moves at the provider, which reports it only when asked. */
  async function executed(id: string): Promise<string> {
    await bridge.psp.happen({ reference: await bridge.referenceOf(id), event: "executed", quiet: true });
    return id;
  }

  async function removeEndpoints(): Promise<void> {
    const { data } = (await test.get(ENDPOINTS)).body as { data: { id: string }[] };
    await Promise.all(data.map(({ id }) => settle(() => remove(test, `${ENDPOINTS}/${id}`))));
  }

  return {
    dispatch: ending("an approved payout is dispatched", "payout intents", "payout_intent", async () => {
      const { id } = await createPayout(bridge.live, { amount: "100" });
      await bridge.approve(id);
      return id;
    }),
    pollPayment: ending("a paid payment is polled", "payment intents", "payment_intent", async () =>
      executed((await createPayment(bridge.live)).id),
    ),
    expirePayment: ending("a payment expires", "payment intents", "payment_intent", async () => {
      const { id } = await createPayment(bridge.live);
      await database.query("UPDATE payment_intent SET expires_at = now() - interval '1 hour' WHERE id = $1", id);
      await bridge.psp.happen({ reference: await bridge.referenceOf(id), event: "expired", quiet: true });
      return id;
    }),
    pollTopup: ending("a funded top-up is polled", "top-up intents", "topup_intent", async () =>
      executed((await createTopup(bridge.live)).id),
    ),
    callback: ending("a callback is applied", "callbacks", "payment_intent", async () => {
      const { id } = await createPayment(bridge.live);
      await bridge.psp.happen({ reference: await bridge.referenceOf(id), event: "executed" });
      return id;
    }),
    auditChain: round("audit entries are linked", "audit chains", async () => {
      const { id } = await createPayment(test);
      await simulate(test, id, "succeeded");
      return {
        effects: async () => ({
          entries: await changesOf(lane, id),
          waiting: (await database.query("SELECT FROM audit_pending")).length,
        }),
        isDone: (effects) => (effects as { waiting: number }).waiting === 0,
      };
    }),
    deliver: round("an event is delivered", "deliveries", async (victim) => {
      await removeEndpoints();
      const { id: endpointId } = await createEndpoint(test, await victim.through("receiver", receiver.url));
      const { id } = await endedPayment(test);
      return {
        async effects() {
          const messages = receiver.received.filter(({ headers }) => headers["webhook-id"] === id);
          const deliveries = await deliveriesOf(test, id);
          return {
            states: deliveries.map(({ state }) => state),
            // More than one message only after a fault, and all of them the same.
            isReceived: messages.length > 0,
            bodies: new Set(messages.map(({ body }) => body)).size,
            changes: await changesOf(lane, endpointId),
          };
        },
        isDone: (effects) => (effects as { states: string[] }).states.every((state) => state === "delivered"),
      };
    }),
  };
}
