// The outbox: claimed once, sent at least once whatever crashes, retried, given up, and timed as its receiver chose.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { claimMessageAcrossMerchants } from "@/server/db/notifications/outbox";
import { failStatement } from "@/server/db/testing/failing-statements";
import { PAUSES_MS } from "@/server/domain/delivery";
import { json } from "@/server/psp/testing/local-server";
import { makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { tamper } from "@/server/testing/owner";
import { withoutIdempotency } from "../idempotency/completion";
import { createPayoutIntent } from "../payouts/create";
import { findNotifications } from "./find";
import { reapNotifications } from "./reap";
import { changeRegistration, endRegistration, showRegistrations } from "./registrations";
import { sendDueNotifications } from "./send";
import {
  AT_ONCE,
  makePerson,
  notificationsOf,
  openStage,
  type Person,
  register,
  type Stage,
  work,
} from "./testing/stage";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let stage: Stage;
let merchant: TestMerchant;
let approver: Person;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage.close();
  await disconnect();
});
beforeEach(async () => {
  await query("DELETE FROM notification_registration");
  stage.receiver.received.length = 0;
  stage.receiver.respond = json(200, {});
  merchant = await makeMerchant();
  approver = await makePerson(merchant, ["approver"]);
});

async function newPayouts(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
}

const toReceiver = () => register(approver, { channel: "webhook", url: stage.receiver.url });
const idsReceived = () => stage.receiver.received.map(({ headers }) => headers.get("webhook-id"));
const soon = () => new Date(Date.now() + 10_000);

describe("two of everything at once", () => {
  it("find a fact once and send each message once", async () => {
    const registrations = await Promise.all([toReceiver(), toReceiver(), toReceiver()]);
    await newPayouts(5);
    await Promise.all([findNotifications(), findNotifications(), findNotifications()]);
    const at = soon();
    await Promise.all([sendDueNotifications(at), sendDueNotifications(at), sendDueNotifications(at)]);
    const rows = (await Promise.all(registrations.map(({ id }) => notificationsOf(id)))).flat();
    expect(rows).toHaveLength(15);
    for (const row of rows) expect(row).toMatchObject({ state: "sent", attempts: 1 });
    expect(new Set(idsReceived()).size).toBe(stage.receiver.received.length);
    const items = stage.receiver.received.flatMap(
      ({ body }) => (JSON.parse(body) as { data: { items: object[] } }).data.items,
    );
    expect(items).toHaveLength(15);
  });
});

describe("a worker that dies", () => {
  it("after its claim loses it when the lease ends, and another sends", async () => {
    const { id } = await toReceiver();
    await newPayouts(2);
    await findNotifications();
    const at = soon();
    const claimed = await claimMessageAcrossMerchants(at, 2 * MINUTE_MS, 100);
    expect(claimed?.notifications).toHaveLength(2);
    expect(await sendDueNotifications(new Date(at.getTime() + MINUTE_MS))).toBe(0);
    expect(await sendDueNotifications(new Date(at.getTime() + 2 * MINUTE_MS))).toBe(1);
    expect(idsReceived()).toEqual([claimed?.id]);
    for (const row of await notificationsOf(id)) expect(row).toMatchObject({ state: "sent", attempts: 2 });
  });

  it("at any statement leaves every message sent at least once, under one id", async () => {
    for (let n = 0, wasSent = true; wasSent; n += 1) {
      await query("DELETE FROM notification_registration");
      stage.receiver.received.length = 0;
      const { id } = await toReceiver();
      await newPayouts(1);
      const failing = failStatement(n);
      try {
        await findNotifications().catch(() => 0);
        await sendDueNotifications(soon()).catch(() => 0);
      } finally {
        failing.restore();
      }
      wasSent = failing.wasSent();
      await work(HOUR_MS);
      const rows = await notificationsOf(id);
      expect(rows.length).toBeGreaterThanOrEqual(1);
      for (const row of rows) expect([n, row.state]).toEqual([n, "sent"]);
      expect([n, new Set(idsReceived()).size]).toEqual([n, 1]);
      merchant = await makeMerchant();
      approver = await makePerson(merchant, ["approver"]);
    }
  });
});

describe("a receiver that fails", () => {
  it("gets the same message again with growing pauses, and its giving up is shown", async () => {
    stage.receiver.respond = json(500, {});
    const { id } = await toReceiver();
    await newPayouts(1);
    await findNotifications();
    let at = soon();
    for (let attempt = 1; attempt <= PAUSES_MS.length; attempt += 1) {
      expect(await sendDueNotifications(at)).toBe(1);
      const [row] = await notificationsOf(id);
      expect(row).toMatchObject({ attempts: attempt, failure: "The receiver answered 500." });
      const next = row?.due_at ?? new Date("9999-01-01");
      expect(next.getTime() - at.getTime()).toBeGreaterThanOrEqual((PAUSES_MS[attempt] ?? 0) * 0.8 - 1);
      at = row?.due_at ?? at;
    }
    expect(await notificationsOf(id)).toMatchObject([{ state: "failed", attempts: 10 }]);
    expect(new Set(idsReceived()).size).toBe(1);
    const [shown] = await showRegistrations(approver.context);
    expect(shown?.messages).toMatchObject([{ state: "failed", attempts: 10, failure: "The receiver answered 500." }]);
    expect(await sendDueNotifications(new Date(at.getTime() + 100 * HOUR_MS))).toBe(0);
  });

  it("and is gone is given up at once", async () => {
    stage.receiver.respond = json(410, {});
    const { id } = await toReceiver();
    await newPayouts(1);
    await work();
    expect(await notificationsOf(id)).toMatchObject([{ state: "failed", attempts: 1 }]);
  });

  it("does not hold back another receiver", async () => {
    stage.receiver.respond = json(500, {});
    await toReceiver();
    await register(approver);
    await newPayouts(1);
    await work();
    expect(stage.mailsTo(approver.email)).toHaveLength(1);
  });
});

describe("the time of a message", () => {
  /** Days after the present one, so that the outbox's own times lie before. */
  const tomorrow = (time: string) =>
    new Date(`${new Date(Date.now() + 48 * HOUR_MS).toISOString().slice(0, 10)}T${time}:00.000Z`);

  it("is after quiet hours, with all that came in them", async () => {
    const quiet = { from: 22 * 60, until: 7 * 60 };
    const { id } = await register(approver, { schedule: { ...AT_ONCE, timeZone: "Asia/Tokyo", quiet } });
    await newPayouts(1);
    await findNotifications(tomorrow("13:30"));
    await newPayouts(1);
    await findNotifications(tomorrow("20:00"));
    expect(await sendDueNotifications(tomorrow("21:59"))).toBe(0);
    expect(await sendDueNotifications(tomorrow("22:00"))).toBe(1);
    expect(stage.mailsTo(approver.email)).toEqual([expect.stringContaining("2 payouts wait")]);
    expect(new Set((await notificationsOf(id)).map(({ message_id }) => message_id)).size).toBe(1);
  });

  it("of a retry is after quiet hours too", async () => {
    stage.receiver.respond = json(500, {});
    const quiet = { from: 22 * 60, until: 7 * 60 };
    const url = stage.receiver.url;
    const { id } = await register(approver, { channel: "slack", url, schedule: { ...AT_ONCE, quiet } });
    await newPayouts(1);
    await findNotifications(tomorrow("21:58"));
    const at = new Date(tomorrow("22:00").getTime() - 1_000);
    expect(await sendDueNotifications(at)).toBe(1);
    const [row] = await notificationsOf(id);
    expect(row?.due_at?.toISOString().slice(11)).toBe("07:00:00.000Z");
  });

  it("of a digest is the chosen time of day, with one mail for all subjects", async () => {
    const person = await makePerson(merchant, ["owner"]);
    const schedule = { ...AT_ONCE, pace: "daily", dailyAt: 9 * 60 } as const;
    await register(person, { types: ["approval_waiting", "exception_opened"], schedule });
    await newPayouts(3);
    await query(
      `INSERT INTO exception (merchant_id, id, environment, kind, object_id, fact, detail, opened_at)
       VALUES ($1, 'exc_' || $1, 'test', 'stuck', 'word_1', 'stuck', '{}', now())`,
      merchant.merchantId,
    );
    await findNotifications(tomorrow("10:00"));
    expect(await sendDueNotifications(new Date(tomorrow("08:59").getTime() + 24 * HOUR_MS))).toBe(0);
    expect(await sendDueNotifications(new Date(tomorrow("09:00").getTime() + 24 * HOUR_MS))).toBe(1);
    const [mail, ...others] = stage.mailsTo(person.email);
    expect(others).toEqual([]);
    expect(mail).toContain("Subject: Test merchant (test): 4 notifications");
    expect(mail).toContain("3 payouts wait for your approval");
    expect(mail).toContain("1 open exception");
  });

  it("follows a change of the choice, but for a message that was begun", async () => {
    const { id } = await register(approver, { schedule: { ...AT_ONCE, pace: "daily" } });
    await newPayouts(1);
    await findNotifications();
    await changeRegistration(approver.context, id, { types: ["approval_waiting"], schedule: AT_ONCE });
    expect(await sendDueNotifications(soon())).toBe(1);
    await endRegistration(approver.context, id);
    expect(await notificationsOf(id)).toEqual([]);
  });
});

it("a long list is counted, and twenty of its items are shown", async () => {
  await register(approver);
  await newPayouts(23);
  await work();
  const [mail] = stage.mailsTo(approver.email);
  expect(mail).toContain("23 payouts wait for your approval");
  expect(mail?.match(/^- Payout of/gm)).toHaveLength(20);
  expect(mail).toContain("- 3 more.");
});

it("is deleted after 90 days, and a fact that still stands is notified again", async () => {
  const { id } = await register(approver);
  await newPayouts(1);
  await work();
  await reapNotifications();
  expect(await notificationsOf(id)).toHaveLength(1);
  const age = "UPDATE notification SET ended_at = ended_at - interval '91 days' WHERE registration_id = $1";
  await tamper("notification", age, id);
  await reapNotifications();
  expect(await notificationsOf(id)).toEqual([]);
  await work();
  expect(stage.mailsTo(approver.email)).toHaveLength(2);
});
