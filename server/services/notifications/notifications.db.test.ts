// Who is notified of what, and what the message says: against a real SMTP server and a real receiver.
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import { FIRST_POLICY } from "@/server/domain/approval-policy";
import { NOBODY } from "@/server/domain/exceptions";
import type { Scope } from "@/server/domain/scope";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { proposePolicy } from "../approval-policies/propose";
import { withoutIdempotency } from "../idempotency/completion";
import { changeRoles, disableMember } from "../members/manage";
import { operatorContext } from "../merchants/operator";
import { cancelPayoutIntent } from "../payouts/cancel";
import { createPayoutIntent } from "../payouts/create";
import { makeEndpoint } from "../webhooks/testing/deliveries";
import { changeRegistration, endRegistration, showRegistrations, testRegistration } from "./registrations";
import { AT_ONCE, makePerson, notificationsOf, openStage, register, type Stage, work } from "./testing/stage";

let stage: Stage;
let merchant: TestMerchant;
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
  merchant = await makeMerchant();
  return requireInvariants;
});

async function newPayout(amount = "25000"): Promise<string> {
  return (await createPayoutIntent(merchant.context, payout({ amount }), withoutIdempotency())).intent.id;
}

let facts = 0;
async function newException(scope: Scope = merchant.scope): Promise<string> {
  facts += 1;
  const objectId = `word_${facts}`;
  await openException(
    {
      scope,
      kind: scope.merchantId === NOBODY ? "unassigned_fee" : "stuck",
      objectId,
      fact: `stuck:${facts}`,
      detail: { why: "Secret detail." },
    },
    new Date(),
  );
  return objectId;
}

describe("payouts that wait for approval", () => {
  it("come as one mail to a member who may approve them, once", async () => {
    const approver = await makePerson(merchant, ["approver"]);
    await register(approver, { types: ["approval_waiting"] });
    const ids = [await newPayout(), await newPayout("1050")];
    await work();
    await work(60 * 60_000);
    const [mail, ...others] = stage.mailsTo(approver.email);
    expect(others).toEqual([]);
    expect(mail).toContain("Subject: Test merchant (test): 2 payouts wait for your approval");
    expect(mail).toContain("Payout of 250.00 BRL waits for your approval, until ");
    for (const id of ids) expect(mail).toContain(`https://pay.example/test/payouts/${id}`);
    expect(mail).not.toContain("Ana Souza");
    await newPayout();
    await work();
    expect(stage.mailsTo(approver.email)).toHaveLength(2);
  });

  it("do not go to their maker, nor to members without the role, nor to another environment or merchant", async () => {
    const other = await makeMerchant();
    const [maker, finance, inLive, foreign] = await Promise.all([
      makePerson(merchant, ["owner"]),
      makePerson(merchant, ["finance"]),
      makePerson(merchant, ["approver"], "live"),
      makePerson(other, ["approver"]),
    ]);
    const registrations = [];
    for (const person of [maker, finance, inLive, foreign])
      registrations.push(await register(person, { types: ["approval_waiting"] }));
    await createPayoutIntent(maker.context, payout(), withoutIdempotency());
    await work();
    expect((await Promise.all(registrations.map(({ id }) => notificationsOf(id)))).flat()).toEqual([]);
  });

  it("that are over before the message is sent are left out of it", async () => {
    const approver = await makePerson(merchant, ["approver"]);
    const { id } = await register(approver, { types: ["approval_waiting"] });
    const [over, waiting] = [await newPayout(), await newPayout()];
    await work(0);
    await cancelPayoutIntent(merchant.byMember(), { id: over, reason: null }, withoutIdempotency());
    await work();
    const states = (await notificationsOf(id)).map(({ object_id, state }) => [object_id, state]);
    expect(new Map(states as [string, string][])).toEqual(
      new Map([
        [over, "skipped"],
        [waiting, "sent"],
      ]),
    );
    expect(stage.mailsTo(approver.email)).toEqual([expect.not.stringContaining(over)]);
  });

  it("are notified again on their last day, by the clock of the merchant", async () => {
    const approver = await makePerson(merchant, ["approver"]);
    const { id } = await register(approver, { types: ["approval_lapsing"] });
    const payoutId = await newPayout();
    await work();
    expect(await notificationsOf(id)).toEqual([]);
    const sixDays = 6 * 24 * 60 * 60_000;
    await query("INSERT INTO sandbox_clock (merchant_id, offset_ms) VALUES ($1, $2)", merchant.merchantId, sixDays);
    await work();
    expect(await notificationsOf(id)).toMatchObject([{ type: "approval_lapsing", object_id: payoutId, state: "sent" }]);
    expect(stage.mailsTo(approver.email)[0]).toContain("1 payout is cancelled soon unless approved");
  });
});

describe("a receiver who lost the right to it", () => {
  it("gets nothing once they are disabled or lost the role, also of what was found before", async () => {
    const [gone, demoted] = [await makePerson(merchant, ["approver"]), await makePerson(merchant, ["approver"])];
    const ids = [];
    for (const person of [gone, demoted]) ids.push((await register(person, { types: ["approval_waiting"] })).id);
    await newPayout();
    await work(0);
    const operator = operatorContext(merchant.merchantId, "test");
    await disableMember(operator, gone.id);
    await changeRoles(operator, demoted.id, ["developer"]);
    await work();
    for (const id of ids) expect((await notificationsOf(id)).map(({ state }) => state)).toEqual(["skipped"]);
    await newPayout();
    await work();
    for (const { email } of [gone, demoted]) expect(stage.mailsTo(email)).toEqual([]);
  });
});

describe("other subjects", () => {
  it("open exceptions go to members who decide them, without their details", async () => {
    const [finance, developer] = [await makePerson(merchant, ["finance"]), await makePerson(merchant, ["developer"])];
    for (const person of [finance, developer]) await register(person, { types: ["exception_opened"] });
    const objectId = await newException();
    await newException({ ...merchant.scope, environment: "live" });
    await newException({ merchantId: NOBODY, environment: "test" });
    await work();
    expect(stage.mailsTo(developer.email)).toEqual([]);
    const [mail] = stage.mailsTo(finance.email);
    expect(mail).toContain("1 open exception");
    expect(mail).toContain(`https://pay.example/test/exceptions?object_id=${objectId}`);
    expect(mail).not.toContain("Secret detail");
  });

  it("an endpoint that fails goes to members who manage it, at each warning, without its path", async () => {
    const developer = await makePerson(merchant, ["developer"]);
    await register(developer, { types: ["endpoint_failing"] });
    const { endpoint } = await makeEndpoint(merchant, "https://9.9.9.9/hooks?token=hush");
    const warn = (hours: number) =>
      query(
        "UPDATE webhook_endpoint SET failing_since = '2026-11-01', warned_hours = $2 WHERE id = $1",
        endpoint.id,
        hours,
      );
    await work();
    expect(stage.mailsTo(developer.email)).toEqual([]);
    for (const hours of [1, 24]) {
      await warn(hours);
      await work();
    }
    const mails = stage.mailsTo(developer.email);
    expect(mails).toHaveLength(2);
    for (const mail of mails) {
      expect(mail).toContain("Webhook endpoint at 9.9.9.9 accepts no deliveries, since 2026-11-01 00:00 UTC.");
      expect(mail).not.toContain("hush");
    }
  });

  it("a proposed policy goes to those who can decide on it, and not to its proposer", async () => {
    const [proposer, admin] = [await makePerson(merchant, ["admin"]), await makePerson(merchant, ["admin"])];
    for (const person of [proposer, admin]) await register(person, { types: ["policy_proposed"] });
    await proposePolicy(proposer.context, { ...FIRST_POLICY, defaultApprovals: 2 });
    await work();
    expect(stage.mailsTo(proposer.email)).toEqual([]);
    expect(stage.mailsTo(admin.email)).toEqual([expect.stringContaining("1 proposed approval policy")]);
  });

  it("a change of access goes to the channel of an owner who chose it", async () => {
    const owner = await makePerson(merchant, ["owner"], "live");
    const live = "https://9.9.9.9/chat";
    const { id } = await register(owner, { channel: "slack", url: live, types: ["security"] });
    const { email } = await makePerson(merchant, ["finance"]);
    await work(0);
    expect(await notificationsOf(id)).toMatchObject([{ type: "security", state: "pending" }]);
    const inTest = { ...owner, context: { ...owner.context, scope: merchant.scope } };
    await register(inTest, { channel: "slack", url: `${stage.receiver.url}/chat`, types: ["security"] });
    await changeRoles(operatorContext(merchant.merchantId, "test"), owner.id, ["owner", "admin"]);
    await work();
    const [message] = stage.receiver.received;
    expect((JSON.parse(message?.body ?? "") as { text: string }).text).toContain("changed the roles of");
    expect(message?.body).not.toContain(email);
  });
});

describe("channels", () => {
  it("Slack gets one text in which nothing of ours is markup", async () => {
    await query("UPDATE merchant SET name = 'Shop <!channel> & more' WHERE id = $1", merchant.merchantId);
    const approver = await makePerson(merchant, ["approver"]);
    await register(approver, {
      channel: "slack",
      url: `${stage.receiver.url}/services/T0/B0/x`,
      types: ["approval_waiting"],
    });
    const id = await newPayout();
    await work();
    expect(stage.receiver.received.map(({ path }) => path)).toEqual(["/services/T0/B0/x"]);
    const { text } = JSON.parse(stage.receiver.received[0]?.body ?? "") as { text: string };
    expect(text).toContain("*Shop &lt;!channel&gt; &amp; more (test): 1 payout waits for your approval*");
    expect(text).toContain(`<https://pay.example/test/payouts/${id}|Open>`);
  });

  it("a signed webhook has one type per message, and standardwebhooks verifies it", async () => {
    const owner = await makePerson(merchant, ["owner"]);
    const url = `${stage.receiver.url}/mine`;
    const types = ["approval_waiting", "exception_opened"] as const;
    const { secret } = await register(owner, { channel: "webhook", url, types });
    const [id, objectId] = [await newPayout(), await newException()];
    await work();
    const messages = stage.receiver.received.map(({ headers, body }) =>
      new Webhook(secret).verify(body, Object.fromEntries(headers.entries())),
    ) as { type: string; data: { environment: string; items: Record<string, string>[] } }[];
    const byType = Object.fromEntries(messages.map(({ type, data }) => [type, data]));
    expect(messages).toHaveLength(2);
    expect(byType["notification.approval_waiting"]).toMatchObject({
      environment: "test",
      items: [{ merchant_id: merchant.merchantId, payout_intent_id: id, amount: "25000", currency: "BRL" }],
    });
    expect(byType["notification.exception_opened"]?.items).toMatchObject([{ kind: "stuck", object_id: objectId }]);
  });

  it("a URL that leads inside is refused, as are http in live, mail with a URL, and what is always mailed", async () => {
    const person = await makePerson(merchant, ["owner"]);
    const live = await makePerson(merchant, ["owner"], "live");
    for (const url of ["http://10.0.0.1/x", "http://169.254.169.254/latest", "https://user:pw@9.9.9.9/"])
      await expect(register(person, { channel: "slack", url })).rejects.toMatchObject({ code: "validation_failed" });
    for (const url of ["http://9.9.9.9/x", stage.receiver.url])
      await expect(register(live, { channel: "webhook", url })).rejects.toMatchObject({ code: "validation_failed" });
    await expect(register(person, { url: "https://9.9.9.9/" })).rejects.toMatchObject({ code: "validation_failed" });
    await expect(register(person, { types: ["security"] })).rejects.toMatchObject({ code: "validation_failed" });
    await expect(register(person, { channel: "slack" })).rejects.toMatchObject({ code: "validation_failed" });
  });
});

describe("a registration", () => {
  it("is audited with each change, without its URL, and belongs to its member and environment", async () => {
    const [person, other] = [await makePerson(merchant, ["owner"]), await makePerson(merchant, ["owner"])];
    const url = "https://9.9.9.9/services/hush";
    const { id } = await register(person, { channel: "slack", url });
    const terms = { types: ["security"], schedule: { ...AT_ONCE, pace: "daily" } } as const;
    const inLive = { ...person.context, scope: { ...merchant.scope, environment: "live" } } as const;
    for (const stranger of [other.context, inLive]) {
      await expect(changeRegistration(stranger, id, terms)).rejects.toMatchObject({ code: "not_found" });
      await expect(testRegistration(stranger, id)).rejects.toMatchObject({ code: "not_found" });
      await expect(endRegistration(stranger, id)).rejects.toMatchObject({ code: "not_found" });
    }
    expect(await changeRegistration(person.context, id, terms)).toMatchObject({ ...terms, target: "9.9.9.9" });
    await endRegistration(person.context, id);
    expect(await showRegistrations(person.context)).toEqual([]);
    const entries = await query<{ action: string; text: string }>(
      `SELECT action, concat(before, after) AS text FROM audit_entry WHERE object_id = $1 ORDER BY id`,
      id,
    );
    expect(entries.map(({ action }) => action)).toEqual(
      ["create", "update", "delete"].map((verb) => `notification_registration.${verb}`),
    );
    for (const { text } of entries) expect(text).not.toContain("9.9.9.9");
  });

  it("is one of ten, also when twelve are added at once", async () => {
    const person = await makePerson(merchant, ["owner"]);
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => register(person)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  });

  it("sends a test on request, once a minute, in quiet hours too", async () => {
    const person = await makePerson(merchant, ["developer"]);
    const quiet = { from: 0, until: 1_439 };
    const { id } = await register(person, { schedule: { ...AT_ONCE, quiet } });
    await Promise.all([testRegistration(person.context, id), testRegistration(person.context, id)]);
    await work();
    const mails = stage.mailsTo(person.email);
    expect(mails.length).toBeGreaterThanOrEqual(1);
    expect(mails.length).toBeLessThanOrEqual(2);
    expect(mails[0]).toContain("This is a test: notifications reach you here.");
    const [shown] = await showRegistrations(person.context);
    expect(shown?.messages[0]).toMatchObject({ types: ["test"], count: 1, state: "sent", attempts: 1 });
  });

  it("is for the operator of the subjects that the operator acts on, of every merchant and of none", async () => {
    const operator = { context: operatorContext(NOBODY, "test") };
    const address = "ops@sluice.example";
    await expect(register(operator, { address })).rejects.toMatchObject({ code: "validation_failed" });
    await register(operator, { address, types: ["exception_opened", "endpoint_failing"] });
    const ids = [await newException(), await newException({ merchantId: NOBODY, environment: "test" })];
    await newException({ ...merchant.scope, environment: "live" });
    await work();
    const mails = stage.mailsTo(address);
    expect(mails).toHaveLength(1);
    const [open] = await query<{ count: number }>(
      "SELECT count(*)::int AS count FROM exception WHERE environment = 'test' AND resolved_at IS NULL",
    );
    expect(mails[0]).toContain(`${open?.count} open exceptions`);
    for (const id of ids) expect(mails[0]).toContain(id);
    expect(mails[0]).toContain(`Test merchant (${merchant.merchantId})`);
    expect(mails[0]).toContain("No merchant: ");
  });
});
