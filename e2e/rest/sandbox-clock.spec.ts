// GET and POST /sandbox/clock, an extension: time passes for a merchant's test objects on demand.
import { setTimeout as sleep } from "node:timers/promises";
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import { FURTHEST_SECONDS, type SandboxClockResource } from "@/server/contract/sandbox";
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import type { Api } from "../support/api";
import { CLOCKS_DIFFER_MS } from "../support/clocks";
import { paymentBody, unused } from "./bodies";
import { bodyOf, createPayment, createPayout, createTopup, read, refusalOf, untilStatus, walletOf } from "./calls";
import { eventsOf } from "./database";
import { expect, test } from "./parties";

const PATH = "/sandbox/clock";
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const readClock = async (api: Api) => bodyOf<SandboxClockResource>(await api.get(PATH), 200);

/** A process that did not advance the clock uses the new time within a second; nothing shows when it does. */
const FOLLOWS_WITHIN_MS = process.env.SPEC_PROCESSES ? 1_000 : 0;

/** Advances the clock, and returns once every web process uses the new time. */
async function advance(api: Api, seconds: number): Promise<SandboxClockResource> {
  const moved = bodyOf<SandboxClockResource>(await api.post(PATH, { advance_seconds: seconds }), 200);
  await sleep(FOLLOWS_WITHIN_MS);
  expect((await readClock(api)).offset_seconds).toBe(moved.offset_seconds);
  return moved;
}

test.describe("200", () => {
  test("the clock starts at the real time, moves forward, and stamps what is created", async ({ api }) => {
    const start = await readClock(api);
    expect(start).toMatchObject({ object: "sandbox_clock", offset_seconds: 0 });
    const moved = await advance(api, DAY);
    expect(moved.offset_seconds).toBe(DAY);
    expect(Date.parse(moved.now) - Date.parse(start.now)).toBeGreaterThanOrEqual(DAY * 1000 - CLOCKS_DIFFER_MS);
    const { created_at, next_action } = await createPayment(api);
    expect(Date.parse(created_at)).toBeGreaterThan(Date.parse(start.now) + DAY * 1000 - MINUTE * 1000);
    expect(Date.parse(next_action?.expires_at ?? "") - Date.parse(created_at)).toBe(30 * MINUTE * 1000);
    expect((await advance(api, 1)).offset_seconds).toBe(DAY + 1);
  });

  test("deadlines pass with the clock: payment, quote and approval end", async ({ api, database }) => {
    const before = await walletOf(api, "BRL");
    const payment = await createPayment(api);
    const topup = await createTopup(api);
    const payout = await createPayout(api);
    await advance(api, 7 * DAY);
    const expired = await untilStatus<PaymentIntentResource>(api, payment.id, ["expired"]);
    expect(expired).toMatchObject({ failure_code: "expired", next_action: null });
    expect(Date.parse(expired.updated_at)).toBeGreaterThanOrEqual(Date.parse(payment.created_at) + 7 * DAY * 1000);
    await untilStatus<TopupIntentResource>(api, topup.id, ["expired"]);
    const lapsed = await untilStatus<PayoutIntentResource>(api, payout.id, ["cancelled"]);
    expect(lapsed.failure_code).toBe("cancelled");
    expect(await walletOf(api, "BRL")).toEqual(before);
    expect(await eventsOf(database, payment.id)).toHaveLength(1);
    expect(await eventsOf(database, payout.id)).toHaveLength(1);
  });

  test("an Idempotency-Key of 25 hours ago has expired: the same request creates another intent", async ({ api }) => {
    const headers = { "idempotency-key": unused("key") };
    const create = (body = paymentBody()) => api.post("/payment_intents", body, { headers });
    const body = paymentBody();
    const first = await create(body);
    expect((await create(body)).headers.get("idempotent-replayed")).toBe("true");
    await advance(api, 25 * HOUR);
    const again = await create();
    expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([201, 201, null]);
    expect(again.text).not.toBe(first.text);
  });

  test("under one Idempotency-Key the clock moves once, although the move outlasts the key", async ({ api }) => {
    const headers = { "idempotency-key": unused("key") };
    const move = () => api.post(PATH, { advance_seconds: 30 * HOUR }, { headers });
    const [first, second] = [await move(), await move()];
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect((await readClock(api)).offset_seconds).toBe(30 * HOUR);
  });

  test("another merchant's clock does not move", async ({ api, strangerApi }) => {
    const payment = await createPayment(strangerApi);
    await advance(api, 7 * DAY);
    expect((await readClock(strangerApi)).offset_seconds).toBe(0);
    expect((await read<PaymentIntentResource>(strangerApi, payment.id)).status).toBe("requires_action");
  });

  test("the operator's commands show the clock and move it", async ({ api, ownMerchant, command }) => {
    const { id } = ownMerchant;
    const moved = await command("clock", "advance", "--merchant", id, "--by", "25h");
    expect(moved).toMatchObject({ merchant_id: id, object: "sandbox_clock", offset_seconds: 25 * HOUR });
    expect((await readClock(api)).offset_seconds).toBe(25 * HOUR);
    expect(await command("clock", "show", "--merchant", id)).toMatchObject({ offset_seconds: 25 * HOUR });
  });
});

test.describe("400", () => {
  test("a clock goes no further than 400 days in total, and never back", async ({ api }) => {
    await advance(api, FURTHEST_SECONDS - 10);
    expect(refusalOf(await api.post(PATH, { advance_seconds: 11 }), 400)).toEqual({
      code: "validation_failed",
      message: "advance_seconds would set the clock more than 400 days ahead in total",
    });
    for (const advance_seconds of [0, -1, 1.5, "60", FURTHEST_SECONDS + 1]) {
      const { message } = refusalOf(await api.post(PATH, { advance_seconds }), 400);
      expect(message).toMatch(/^advance_seconds must be /);
    }
    expect(refusalOf(await api.post(PATH, {}), 400).message).toBe("advance_seconds is required");
    expect((await readClock(api)).offset_seconds).toBe(FURTHEST_SECONDS - 10);
  });
});

test.describe("404", () => {
  test("a live key finds no clock", async ({ api, liveApi: live }) => {
    expect(refusalOf(await live.get(PATH), 404).code).toBe("not_found");
    expect(refusalOf(await live.post(PATH, { advance_seconds: 60 }), 404).code).toBe("not_found");
    expect((await readClock(api)).offset_seconds).toBe(0);
  });
});
