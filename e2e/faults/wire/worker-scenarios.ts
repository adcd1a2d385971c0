// A scenario for every loop of the worker, and for each kind of work that it does. After a fault, the claims end and the next
// worker plays the loop.
import { setTimeout as sleep } from "node:timers/promises";
import { paymentBody, unused } from "../../rest/bodies";
import { bodyOf, createPayment, createPayout, createTopup, simulate } from "../../rest/calls";
import { createEndpoint, deliveriesOf, ENDPOINTS, endedPayment, remove } from "../../rest/webhook-calls";
import { type Desk, openDesk } from "./desk";
import { changesOf, type IntentEffects, intentEffects } from "./effects";
import { dropNewestPartition, openException, registerOperator, strayRequest } from "./planted-rows";
import { confirmedRefund } from "./refund-calls";
import { settle } from "./rest-trial";
import { type Scenario, scenario } from "./scenario";
import type { Lane, Victim } from "./stage";

/** Rounds of the next worker until the work is done. */
const ROUNDS = 40;
const PAUSE_MS = 50;
/** The tables whose rows a worker claims for a while. */
const CLAIMED = [
  "payment_intent",
  "payout_intent",
  "topup_intent",
  "delivery",
  "provider_callback",
  "authority_notice",
  "notification",
  "suspense_refund",
];

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
  let desk: Promise<Desk> | undefined;

  /** As if the claims of a dead worker had run out. */
  async function endClaims(): Promise<void> {
    for (const table of CLAIMED) await database.query(`UPDATE ${table} SET due_at = now() WHERE due_at > now()`);
  }

  function round(name: string, loop: string, prepare: (victim: Victim) => Promise<Work>): Scenario {
    return scenario(name, "worker", async (victim) => {
      const rescuer = await lane.rescuer();
      // Does what is still due, and opens the victim's connections, so that every trial has the same messages.
      for (const process of [rescuer, victim]) await process.run(loop);
      const { effects, isDone = () => true } = await prepare(victim);
      return {
        async perform(by) {
          await endClaims();
          return by.run(loop);
        },
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

  /** Rows of the lane's merchant as if they had been there for years, which the loop deletes. */
  function reaping(loop: string, table: string, column: string, rows: () => Promise<unknown>): Scenario {
    return round(`old rows of ${table} are deleted`, loop, async () => {
      await rows();
      // Its triggers forbid changes.
      await database.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      const age = `UPDATE ${table} SET ${column} = ${column} - interval '20 years' WHERE merchant_id = $1`;
      try {
        await database.query(age, merchant.id);
      } finally {
        await database.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
      }
      const old = `SELECT count(*)::int AS old FROM ${table} WHERE ${column} < now() - interval '10 years'`;
      const [planted] = await database.query<{ old: number }>(old);
      if (!planted?.old) throw new Error(`${table} has no old rows`);
      return { effects: () => database.query(old), isDone: (effects) => (effects as [{ old: number }])[0].old === 0 };
    });
  }

  const cli = (merchantId: string, command: string, ...words: string[]) =>
    bridge.world.cli(...command.split(" "), "--merchant", merchantId, ...words);

  /** A new merchant whose owner gets a notice of a member who approves; returns the owner's address. */
  async function noticedOwner(merchantId: string): Promise<string> {
    const [owner, straw] = [`${unused("owner")}@staff.example`, `${unused("straw")}@staff.example`];
    await cli(merchantId, "members create", "--email", owner, "--roles", "owner");
    await database.query("UPDATE authority_notice SET due_at = NULL");
    await cli(merchantId, "members create", "--email", straw, "--roles", "approver");
    return owner;
  }

  /** An exception of which the operator gets a mail at that address; returns its id. */
  async function notifiedException(address: string): Promise<string> {
    await registerOperator(database, address);
    return openException(database, merchant.id, (await createPayment(test)).id);
  }

  return {
    "payout intents: dispatch": ending(
      "an approved payout is dispatched",
      "payout intents",
      "payout_intent",
      async () => {
        const { id } = await createPayout(bridge.live, { amount: "100" });
        await bridge.approve(id);
        return id;
      },
    ),
    "payment intents: poll": ending("a paid payment is polled", "payment intents", "payment_intent", async () =>
      executed((await createPayment(bridge.live)).id),
    ),
    "payment intents: expiry": ending("a payment expires", "payment intents", "payment_intent", async () => {
      const { id } = await createPayment(bridge.live);
      await database.query("UPDATE payment_intent SET expires_at = now() - interval '1 hour' WHERE id = $1", id);
      await bridge.psp.happen({ reference: await bridge.referenceOf(id), event: "expired", quiet: true });
      return id;
    }),
    "top-up intents: poll": ending("a funded top-up is polled", "top-up intents", "topup_intent", async () =>
      executed((await createTopup(bridge.live)).id),
    ),
    "refunds: send": round("a confirmed refund is sent", "refunds", async () => {
      desk ??= openDesk(lane);
      const work = await confirmedRefund(await desk);
      await endClaims();
      return work;
    }),
    "callbacks: apply": ending("a callback is applied", "callbacks", "payment_intent", async () => {
      const { id } = await createPayment(bridge.live);
      await bridge.psp.happen({ reference: await bridge.referenceOf(id), event: "executed" });
      return id;
    }),
    "audit chains: link": round("audit entries are linked", "audit chains", async () => {
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
    "figures: fold": round("ended payments are added to the figures", "figures", async () => {
      const paid = `SELECT coalesce(sum(count), 0)::int AS count, coalesce(sum(amount), 0)::text AS amount
        FROM intent_figure WHERE merchant_id = $1 AND status = 'succeeded' AND minutes = 60`;
      const before = await database.query<{ count: number }>(paid, merchant.id);
      const { id } = await createPayment(test);
      await simulate(test, id, "succeeded");
      await (await lane.rescuer()).run("audit chains");
      const added = async () =>
        ((await database.query<{ count: number }>(paid, merchant.id))[0]?.count ?? 0) - (before[0]?.count ?? 0);
      return { effects: added, isDone: (effects) => effects !== 0 };
    }),
    "search: fill": round("an intent can be found", "search", async () => {
      const { id } = await createPayment(test);
      await (await lane.rescuer()).run("audit chains");
      const terms = "SELECT field, count(*)::int AS count FROM search_term WHERE object_id = $1 GROUP BY 1 ORDER BY 1";
      return {
        effects: () => database.query(terms, id),
        isDone: (effects) => (effects as readonly unknown[]).length > 0,
      };
    }),
    "ended exceptions: resolve": round(
      "an exception about an ended payment is resolved",
      "ended exceptions",
      async () => {
        const { id } = await createPayment(test);
        await simulate(test, id, "succeeded");
        await openException(database, merchant.id, id);
        const resolution = "SELECT resolution FROM exception WHERE object_id = $1";
        return { effects: async () => ({ exceptions: await database.query(resolution, id) }) };
      },
    ),
    "overtaken resolutions: close": round(
      "a proposal that was overtaken is closed",
      "overtaken resolutions",
      async () => {
        const { id } = await createPayment(test);
        const evidence = ["--outcome", "failed", "--evidence", "A letter.", "--operator", "Maria Lopez"];
        await cli(merchant.id, "intents propose-resolution", "--id", id, ...evidence);
        await simulate(test, id, "succeeded");
        const proposals = "SELECT state FROM manual_resolution WHERE intent_id = $1";
        return {
          effects: async () => ({ proposals: await database.query(proposals, id), changes: await changesOf(lane, id) }),
        };
      },
    ),
    "deliveries: send": round("an event is delivered", "deliveries", async (victim) => {
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
    "notices: mail": round("a notice is mailed", "notices", async () => {
      const owner = await noticedOwner((await bridge.world.newMerchant()).id);
      const waiting = `SELECT count(*)::int AS waiting FROM authority_notice n
        JOIN member m ON (m.merchant_id, m.id) = (n.merchant_id, n.member_id)
        WHERE m.email = $1 AND n.mailed_at IS NULL AND n.due_at IS NOT NULL`;
      return {
        async effects() {
          const [left] = await database.query<{ waiting: number }>(waiting, owner);
          // A second mail only after a fault.
          return { isMailed: lane.mailbox.mailsTo(owner).length > 0, waiting: left?.waiting };
        },
        isDone: (effects) => (effects as { waiting: number }).waiting === 0,
      };
    }),
    "notifications: send": round("a notification is mailed", "notifications", async () => {
      const address = `${unused("operator")}@sluice.example`;
      const exceptionId = await notifiedException(address);
      await (await lane.rescuer()).run("new notifications");
      const state = "SELECT state FROM notification WHERE object_id = $1";
      return {
        async effects() {
          const [sent] = await database.query<{ state: string }>(state, exceptionId);
          // A second mail only after a fault.
          return { state: sent?.state, isMailed: lane.mailbox.mailsTo(address).length > 0 };
        },
        isDone: (effects) => (effects as { state?: string }).state === "sent",
      };
    }),
    "old deliveries: keep partitions": round("the partitions of attempts are kept", "old deliveries", async () => {
      const partitions = await dropNewestPartition(database, "delivery_attempt");
      return { effects: partitions };
    }),
    "old API log: keep partitions": round("the partitions of the API log are kept", "old API log", async () => {
      const partitions = await dropNewestPartition(database, "api_log");
      const old = await strayRequest(database, merchant.id);
      return { effects: async () => [await partitions(), await old()] };
    }),
    "old notices: delete": reaping("old notices", "authority_notice", "created_at", () => noticedOwner(merchant.id)),
    "expired idempotency keys: delete": reaping("expired idempotency keys", "idempotency_key", "created_at", async () =>
      bodyOf(
        await test.post("/payment_intents", paymentBody(), { headers: { "idempotency-key": unused("key") } }),
        201,
      ),
    ),
  };
}
