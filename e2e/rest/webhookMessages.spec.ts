// Every type of event is sent as the served OpenAPI document describes it under `webhooks`.
import { EVENT_CATALOGUE_BODY } from "@/server/contract/events";
import { createMessageValidator } from "../support/openapi-messages";
import { startReceiver } from "../support/receiver";
import { cancelPayout, createPayout, untilStatus } from "./calls";
import { expect, test } from "./parties";
import { createEndpoint, ENDPOINTS, endedPayment } from "./webhook-calls";

const EVENT_TYPES = EVENT_CATALOGUE_BODY.events.map(({ event }) => event);

test("each of the six types is delivered as documented: body, headers, nothing else; a test too", async ({
  api,
  approve,
  document,
}) => {
  // Six intents that must end take long on a busy machine.
  test.setTimeout(300_000);
  const receiver = await startReceiver();
  try {
    const { id: endpointId } = await createEndpoint(api, receiver.url);
    for (const outcome of ["succeeded", "declined", "expired"]) await endedPayment(api, outcome);
    await cancelPayout(api, (await createPayout(api)).id);
    for (const [amount, end] of [
      ["3000", "succeeded"],
      ["3001", "failed"],
    ] as const) {
      const { id } = await createPayout(api, { amount });
      await approve(id);
      await untilStatus(api, id, [end]);
    }
    await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(EVENT_TYPES.length);

    const typeOf = createMessageValidator(document);
    expect(Object.keys(document.webhooks ?? {}).sort()).toEqual([...EVENT_TYPES].sort());
    expect(receiver.received.map(typeOf).sort()).toEqual([...EVENT_TYPES].sort());
    for (const type of EVENT_TYPES) {
      receiver.received.length = 0;
      await api.post(`${ENDPOINTS}/${endpointId}/test`, { type });
      expect(receiver.received.map(typeOf)).toEqual([type]);
    }
  } finally {
    await receiver.stop();
  }
});
