// A scenario for every REST operation that writes, by operation id.
import type { SandboxClockResource } from "@/server/contract/sandbox";
import { paymentBody, payoutBody, topupBody, unused } from "../../rest/bodies";
import { bodyOf, createPayment, createPayout } from "../../rest/calls";
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
import { changesOf, intentEffects } from "./effects";
import { restTrial, type Send, settle } from "./rest-trial";
import { type Scenario, scenario, type Trial } from "./scenario";
import type { Lane, Victim } from "./stage";

/** The write of a trial, and what shows its effects. */
interface Write {
  readonly send: Send;
  readonly effects: (answer: Answer) => Promise<unknown>;
}

const write = (send: Send, effects: Write["effects"]): Write => ({ send, effects });

const idOf = ({ body }: Answer): string => (body as { id: string }).id;

/** The scenarios of a lane, by the id of their operation. */
export function restScenarios(lane: Lane): Readonly<Record<string, Scenario>> {
  const { bridge, merchant, receiver, api } = lane;
  const { database } = bridge.world;
  const test = api(merchant.keys.test);

  /** A write with the test key, or with the live key of the merchant that has live money. */
  function restScenario(name: string, environment: "test" | "live", prepare: () => Promise<Write>): Scenario {
    const key = environment === "live" ? bridge.merchant.keys.live : merchant.keys.test;
    return scenario(name, "web", async (victim: Victim): Promise<Trial<Answer>> => {
      // Opens the victim's connections and fills its caches, so that every trial has the same messages.
      await victim.api(key).get("/wallets");
      const { send, effects } = await prepare();
      return restTrial(api(key), key, send, effects);
    });
  }

  /** A merchant has at most ten endpoints. */
  async function removeEndpoints(): Promise<void> {
    const { data } = bodyOf<{ data: { id: string }[] }>(await test.get(ENDPOINTS), 200);
    await Promise.all(data.map(async ({ id }) => bodyOf(await settle(() => remove(test, `${ENDPOINTS}/${id}`)), 200)));
  }

  function creation(path: string, table: Parameters<typeof intentEffects>[1], newBody: () => object): Scenario {
    return restScenario(`POST ${path}`, "live", async () => {
      const body = newBody();
      return write(
        (client, headers) => client.post(path, body, { headers }),
        (answer) => intentEffects(lane, table, idOf(answer)),
      );
    });
  }

  /** A change of an endpoint; its effects are its audit entries. */
  function endpointChange(
    name: string,
    send: (client: Api, path: string, options: object) => Promise<Answer>,
  ): Scenario {
    return restScenario(name, "test", async () => {
      await removeEndpoints();
      const { id } = await createEndpoint(test, PUBLIC_URL);
      return write(
        (client, headers) => send(client, `${ENDPOINTS}/${id}`, { headers }),
        () => changesOf(lane, id),
      );
    });
  }

  return {
    createPaymentIntent: creation("/payment_intents", "payment_intent", paymentBody),
    createTopupIntent: creation("/topup_intents", "topup_intent", topupBody),
    createPayoutIntent: creation("/payout_intents", "payout_intent", () => payoutBody({ amount: "100" })),
    cancelPayoutIntent: restScenario("POST /payout_intents/:id/cancel", "live", async () => {
      const { id } = await createPayout(bridge.live, { amount: "100" });
      return write(
        (client, headers) => client.post(`/payout_intents/${id}/cancel`, { reason: "cut" }, { headers }),
        () => intentEffects(lane, "payout_intent", id),
      );
    }),
    simulate: restScenario("POST /sandbox/simulate", "test", async () => {
      const { id } = await createPayment(test);
      return write(
        (client, headers) => client.post("/sandbox/simulate", { id, outcome: "succeeded" }, { headers }),
        () => intentEffects(lane, "payment_intent", id),
      );
    }),
    createWebhookEndpoint: restScenario(`POST ${ENDPOINTS}`, "test", async () => {
      await removeEndpoints();
      const url = `${PUBLIC_URL}/${unused("hook")}`;
      return write(
        (client, headers) => client.post(ENDPOINTS, { url }, { headers }),
        async (answer) => ({
          endpoints: (await database.query("SELECT FROM webhook_endpoint WHERE url = $1", url)).length,
          changes: await changesOf(lane, idOf(answer)),
        }),
      );
    }),
    updateWebhookEndpoint: endpointChange("PATCH /webhook_endpoints/:id", (client, path, options) =>
      patch(client, path, { description: "changed" }, options),
    ),
    deleteWebhookEndpoint: endpointChange("DELETE /webhook_endpoints/:id", remove),
    advanceSandboxClock: restScenario("POST /sandbox/clock", "test", async () => {
      const offset = async () => bodyOf<SandboxClockResource>(await test.get("/sandbox/clock"), 200).offset_seconds;
      const before = await offset();
      return write(
        (client, headers) => client.post("/sandbox/clock", { advance_seconds: 7 }, { headers }),
        async () => (await offset()) - before,
      );
    }),
    resendDelivery: restScenario("POST /deliveries/:id/resend", "test", async () => {
      await removeEndpoints();
      await createEndpoint(test, receiver.url);
      const event = await endedPayment(test);
      const { id } = await untilDelivery(test, event.id, ({ state }) => state === "delivered");
      return write(
        (client, headers) => client.post(`/deliveries/${id}/resend`, {}, { headers }),
        () => changesOf(lane, id),
      );
    }),
    replayToWebhookEndpoint: restScenario("POST /webhook_endpoints/:id/replay", "test", async () => {
      await removeEndpoints();
      const since = new Date(Date.now() - 60_000).toISOString();
      const { id: eventId } = await endedPayment(test);
      const { id } = await createEndpoint(test, receiver.url);
      return write(
        (client, headers) => client.post(`${ENDPOINTS}/${id}/replay`, { since }, { headers }),
        async () => ({ changes: await changesOf(lane, id), deliveries: (await deliveriesOf(test, eventId)).length }),
      );
    }),
    testWebhookEndpoint: restScenario("POST /webhook_endpoints/:id/test", "test", async () => {
      await removeEndpoints();
      const { id } = await createEndpoint(test, receiver.url);
      return write(
        (client, headers) => client.post(`${ENDPOINTS}/${id}/test`, {}, { headers }),
        () => changesOf(lane, id),
      );
    }),
    rotateWebhookSecret: endpointChange("POST /webhook_endpoints/:id/rotate_secret", (client, path, options) =>
      client.post(`${path}/rotate_secret`, {}, options),
    ),
  };
}
