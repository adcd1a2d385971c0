// A scenario for every REST operation that writes, by operation id.
import type { SandboxClockResource } from "@/server/contract/sandbox";
import { paymentBody, payoutBody, topupBody, unused } from "../../rest/bodies";
import { type AnyIntent, bodyOf, createPayment, createPayout, read } from "../../rest/calls";
import { bookingsOf, eventsOf } from "../../rest/database";
import {
  createEndpoint,
  deliveriesOf,
  ENDPOINTS,
  endedPayment,
  PUBLIC_URL,
  patch,
  remove,
  untilDelivery,
} from "../../rest/webhook-calls";
import type { Answer, Api } from "../../support/api";
import type { Scenario, Trial } from "./scenario";
import type { Lane } from "./stage";

type Send = (api: Api, headers: { readonly "idempotency-key": string }) => Promise<Answer>;

/** A trial whose write repeats under one key. */
function trial(send: Send, effects: Trial["effects"]): Trial {
  const headers = { "idempotency-key": unused("cut") };
  return { send: (api) => send(api, headers), effects };
}

const idOf = ({ body }: Answer): string => (body as { id: string }).id;

/** The scenarios of a lane, by the id of their operation. */
export function restScenarios({ bridge, merchant, receiver, api }: Lane): Readonly<Record<string, Scenario>> {
  const { database } = bridge.world;
  const test = api(merchant.keys.test);

  /** How many intents have the reference, and everything that the ledger, events and the provider know about this one. */
  async function intentEffects(client: Api, id: string, table: string, reference: string | null | undefined) {
    const rows = await database.query(`SELECT FROM ${table} WHERE merchant_reference = $1`, reference ?? null);
    const { status } = await read<AnyIntent>(client, id);
    const events = (await eventsOf(database, id)).map(({ type }) => type);
    const isLive = client === bridge.live;
    const acceptances = isLive ? await bridge.acceptancesOf(id) : 0;
    return { intents: rows.length, status, events, bookings: await bookingsOf(database, id), acceptances };
  }

  /** The audit entries about an object, in order: one for each change that was made. */
  async function changesOf(objectId: string): Promise<string[]> {
    const rows = await database.query<{ action: string }>(
      "SELECT action FROM audit_entry WHERE object_id = $1 ORDER BY created_at, id",
      objectId,
    );
    return rows.map(({ action }) => action);
  }

  /** A merchant has at most ten endpoints. */
  async function removeEndpoints(): Promise<void> {
    const { data } = bodyOf<{ data: { id: string }[] }>(await test.get(ENDPOINTS), 200);
    const answers = await Promise.all(data.map(({ id }) => remove(test, `${ENDPOINTS}/${id}`)));
    for (const answer of answers) bodyOf(answer, 200);
  }

  function creation(
    path: string,
    table: string,
    newBody: () => { readonly merchant_reference?: string | null | undefined },
  ): Scenario {
    return {
      name: `POST ${path}`,
      environment: "live",
      prepare: async () => {
        const body = newBody();
        return trial(
          (client, headers) => client.post(path, body, { headers }),
          (answer) => intentEffects(bridge.live, idOf(answer), table, body.merchant_reference),
        );
      },
    };
  }

  /** A change of an endpoint; its effects are its audit entries. */
  function endpointChange(
    name: string,
    send: (client: Api, path: string, options: object) => Promise<Answer>,
  ): Scenario {
    return {
      name,
      environment: "test",
      prepare: async () => {
        await removeEndpoints();
        const { id } = await createEndpoint(test, PUBLIC_URL);
        return trial(
          (client, headers) => send(client, `${ENDPOINTS}/${id}`, { headers }),
          () => changesOf(id),
        );
      },
    };
  }

  return {
    createPaymentIntent: creation("/payment_intents", "payment_intent", paymentBody),
    createTopupIntent: creation("/topup_intents", "topup_intent", topupBody),
    createPayoutIntent: creation("/payout_intents", "payout_intent", () => payoutBody({ amount: "100" })),
    cancelPayoutIntent: {
      name: "POST /payout_intents/:id/cancel",
      environment: "live",
      prepare: async () => {
        const { id, merchant_reference } = await createPayout(bridge.live, { amount: "100" });
        return trial(
          (client, headers) => client.post(`/payout_intents/${id}/cancel`, { reason: "cut" }, { headers }),
          () => intentEffects(bridge.live, id, "payout_intent", merchant_reference),
        );
      },
    },
    simulate: {
      name: "POST /sandbox/simulate",
      environment: "test",
      prepare: async () => {
        const { id, merchant_reference } = await createPayment(test);
        return trial(
          (client, headers) => client.post("/sandbox/simulate", { id, outcome: "succeeded" }, { headers }),
          () => intentEffects(test, id, "payment_intent", merchant_reference),
        );
      },
    },
    createWebhookEndpoint: {
      name: `POST ${ENDPOINTS}`,
      environment: "test",
      prepare: async () => {
        await removeEndpoints();
        const url = `${PUBLIC_URL}/${unused("hook")}`;
        return trial(
          (client, headers) => client.post(ENDPOINTS, { url }, { headers }),
          async (answer) => ({
            endpoints: (await database.query("SELECT FROM webhook_endpoint WHERE url = $1", url)).length,
            changes: await changesOf(idOf(answer)),
          }),
        );
      },
    },
    updateWebhookEndpoint: endpointChange("PATCH /webhook_endpoints/:id", (client, path, options) =>
      patch(client, path, { description: "changed" }, options),
    ),
    deleteWebhookEndpoint: endpointChange("DELETE /webhook_endpoints/:id", remove),
    advanceSandboxClock: {
      name: "POST /sandbox/clock",
      environment: "test",
      prepare: async () => {
        const offset = async () => bodyOf<SandboxClockResource>(await test.get("/sandbox/clock"), 200).offset_seconds;
        const before = await offset();
        return trial(
          (client, headers) => client.post("/sandbox/clock", { advance_seconds: 7 }, { headers }),
          async () => (await offset()) - before,
        );
      },
    },
    resendDelivery: {
      name: "POST /deliveries/:id/resend",
      environment: "test",
      prepare: async () => {
        await removeEndpoints();
        await createEndpoint(test, receiver.url);
        const event = await endedPayment(test);
        const { id } = await untilDelivery(test, event.id, ({ state }) => state === "delivered");
        return trial(
          (client, headers) => client.post(`/deliveries/${id}/resend`, {}, { headers }),
          () => changesOf(id),
        );
      },
    },
    replayToWebhookEndpoint: {
      name: "POST /webhook_endpoints/:id/replay",
      environment: "test",
      prepare: async () => {
        await removeEndpoints();
        const since = new Date(Date.now() - 60_000).toISOString();
        const { id: eventId } = await endedPayment(test);
        const { id } = await createEndpoint(test, receiver.url);
        return trial(
          (client, headers) => client.post(`${ENDPOINTS}/${id}/replay`, { since }, { headers }),
          async () => ({ changes: await changesOf(id), deliveries: (await deliveriesOf(test, eventId)).length }),
        );
      },
    },
    testWebhookEndpoint: {
      name: "POST /webhook_endpoints/:id/test",
      environment: "test",
      prepare: async () => {
        await removeEndpoints();
        const { id } = await createEndpoint(test, receiver.url);
        return trial(
          (client, headers) => client.post(`${ENDPOINTS}/${id}/test`, {}, { headers }),
          () => changesOf(id),
        );
      },
    },
    rotateWebhookSecret: endpointChange("POST /webhook_endpoints/:id/rotate_secret", (client, path, options) =>
      client.post(`${path}/rotate_secret`, {}, options),
    ),
  };
}
