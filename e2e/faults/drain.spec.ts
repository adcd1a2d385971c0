// A shutdown under load loses nothing: accepted requests complete, the rest get 503.
import { paymentBody, unused } from "../rest/bodies";
import { openWorld } from "../rest/world";
import type { Answer } from "../support/api";
import { expect, test } from "../support/fixtures";
import { startService } from "../support/service";

interface Sent {
  readonly key: string;
  readonly body: ReturnType<typeof paymentBody>;
  /** Null if the connection was refused or broken. */
  answer: Answer | null;
}

const CLIENTS = 16;
/** After this many answers the load is on. */
const UNDER_LOAD = CLIENTS * 8;

test("SIGTERM under load: only 201 and 503, nothing acknowledged is lost, every retry has one effect", async () => {
  test.setTimeout(120_000);
  const world = await openWorld(await startService());
  try {
    const merchant = await world.newMerchant();
    const api = world.apiFor(merchant.keys.test);
    const sent: Sent[] = [];
    let refused = false;
    const client = async () => {
      while (!refused) {
        const one: Sent = { key: unused("drain"), body: paymentBody(), answer: null };
        sent.push(one);
        one.answer = await api
          .post("/payment_intents", one.body, { headers: { "idempotency-key": one.key } })
          .catch(() => null);
        refused ||= one.answer === null;
      }
    };
    const load = Array.from({ length: CLIENTS }, client);
    await expect.poll(() => sent.filter(({ answer }) => answer).length).toBeGreaterThan(UNDER_LOAD);
    const exit = await world.service.stop();
    expect(exit).toBe(0);
    await Promise.all(load);

    const answered = sent.flatMap(({ answer }) => (answer ? [answer] : []));
    for (const { status, text, headers } of answered) {
      expect([201, 503], text).toContain(status);
      if (status === 503) expect(headers.get("retry-after")).not.toBeNull();
    }

    await world.service.restart();
    await world.reconnect();
    const rows = await world.database.query<{ merchant_reference: string; id: string }>(
      "SELECT merchant_reference, id FROM payment_intent WHERE merchant_id = $1",
      merchant.id,
    );
    const idOf = new Map(rows.map(({ merchant_reference, id }) => [merchant_reference, id]));
    expect(idOf.size).toBe(rows.length);
    for (const { body, answer } of sent) {
      if (answer?.status === 201) expect(idOf.get(body.merchant_reference)).toBe((answer.body as { id: string }).id);
      if (answer?.status === 503)
        expect(idOf.get(body.merchant_reference), "a 503 of the end did nothing").toBeUndefined();
    }
    for (const { key, body, answer } of sent.filter((one) => one.answer?.status !== 201)) {
      const retry = await api.post("/payment_intents", body, { headers: { "idempotency-key": key } });
      expect(retry.status, `${answer?.status ?? "broken"}: ${retry.text}`).toBe(201);
    }
    for (const { key, body, answer } of sent.filter((one) => one.answer?.status === 201).slice(0, 50)) {
      const replay = await api.post("/payment_intents", body, { headers: { "idempotency-key": key } });
      expect([replay.status, replay.text]).toEqual([201, answer?.text]);
    }
  } finally {
    await world.close();
  }
});
