// GET /topup_intents/:id, an extension: top-ups have no events, so reading is how a client detects their end.
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import { createTopup, read, simulate } from "./calls";
import { eventsOf } from "./database";
import { describeMissingIntents } from "./missing-intents";
import { expect, test } from "./parties";

test.describe("200", () => {
  test("reading twice returns the same bytes while nothing changes", async ({ api }) => {
    const { id } = await createTopup(api);
    const [first, second] = [await api.get(`/topup_intents/${id}`), await api.get(`/topup_intents/${id}`)];
    expect(second.text).toBe(first.text);
  });

  test("a declined top-up shows its failure, has no next action, and emits no event", async ({ api, database }) => {
    const { id } = await createTopup(api);
    await simulate(api, id, "declined");
    const intent = await read<TopupIntentResource>(api, id);
    expect(intent).toMatchObject({ status: "failed", failure_code: "provider_declined", next_action: { amount: "0" } });
    expect(intent.destination.credited_amount).toBe("0");
    expect(await eventsOf(database, id)).toEqual([]);
  });
});

describeMissingIntents("/topup_intents", (api) => createTopup(api));
