// A trial for every mutation of the dashboard, by the procedure's path.
import { Secret, TOTP } from "otpauth";
import { RECIPIENT, topupBody, unused } from "../../rest/bodies";
import { createPayout } from "../../rest/calls";
import {
  createEndpoint,
  deliveriesOf,
  ENDPOINTS,
  endedPayment,
  PUBLIC_URL,
  remove,
  untilDelivery,
} from "../../rest/webhook-calls";
import type { Api } from "../../support/api";
import type { Desk, Mutation, Person } from "./desk";
import { FOUND, foundEnd, lateMoney, proposedRefund, silentRefund } from "./refund-calls";
import { settle } from "./rest-trial";

export type Prepare = (desk: Desk) => Promise<Mutation>;

const testApi = ({ lane }: Desk): Api => lane.api(lane.merchant.keys.test);

/** An act of the owner, with the proof that acts of authority take. */
function byOwner({ people: { owner } }: Desk, input: object, state?: Mutation["state"]): Mutation {
  return { person: owner, input: { password: owner.password, ...input }, ...(state && { state }) };
}

/** An act of a member about their own account. */
function byOneself(person: Person, input: object, state?: Mutation["state"]): Mutation {
  return { person, input, ...(state && { state }) };
}

async function newPayout(desk: Desk): Promise<{ id: string; digest: string }> {
  const { id } = await createPayout(testApi(desk), { amount: "100" });
  const query = encodeURIComponent(JSON.stringify({ environment: "test", id }));
  const { cookie } = desk.people.owner;
  const answer = await fetch(`${desk.lane.bridge.world.service.baseUrl}/api/trpc/payoutIntents.get?input=${query}`, {
    headers: { cookie },
  });
  const { result } = (await answer.json()) as { result: { data: { payout: { digest: string } } } };
  return { id, digest: result.data.payout.digest };
}

/** A recipient with an account of its own. */
function recipientBody() {
  const { type: _, ...recipient } = RECIPIENT;
  const account_number = String(Math.floor(Math.random() * 1e12) + 1e12);
  return { ...recipient, account_number, country: "BR", currency: "BRL" };
}

async function newRecipient(desk: Desk): Promise<string> {
  const { owner } = desk.people;
  const input = { ...recipientBody(), password: owner.password };
  return (await desk.call<{ id: string }>(owner, "payoutRecipients.save", input)).id;
}

async function newEndpoint(desk: Desk, url: string): Promise<string> {
  await removeEndpoints(desk);
  return (await createEndpoint(testApi(desk), url)).id;
}

/** A merchant has at most ten endpoints. */
async function removeEndpoints(desk: Desk): Promise<void> {
  const api = testApi(desk);
  const { data } = (await api.get(ENDPOINTS)).body as { data: { id: string }[] };
  await Promise.all(data.map(({ id }) => settle(() => remove(api, `${ENDPOINTS}/${id}`))));
}

function newKey(desk: Desk): Promise<{ id: string }> {
  const { owner } = desk.people;
  return desk.call(owner, "apiKeys.create", { name: unused("key"), password: owner.password });
}

/** Proposes an approval policy as the second owner, after an open proposal was rejected; returns its version. */
async function proposedPolicy(desk: Desk): Promise<number> {
  const { owner, secondOwner } = desk.people;
  const { database } = desk.lane.bridge.world;
  const open = await database.query<{ version: number }>(
    "SELECT version FROM approval_policy WHERE merchant_id = $1 AND environment = 'test' AND state = 'proposed'",
    desk.lane.merchant.id,
  );
  for (const { version } of open) await desk.call(owner, "approvalPolicies.reject", { version });
  const policy = { default_approvals: 1, rules: [] };
  const input = { policy, password: secondOwner.password };
  return (await desk.call<{ version: number }>(secondOwner, "approvalPolicies.propose", input)).version;
}

/** A member whose new role waits for another owner's confirmation; returns the proposal. */
async function proposedGrant(desk: Desk): Promise<string> {
  const { secondOwner } = desk.people;
  const { id } = await desk.newPerson("developer");
  const input = { id, roles: ["approver"], password: secondOwner.password };
  await desk.call(secondOwner, "members.setRoles", input);
  const { database } = desk.lane.bridge.world;
  const [grant] = await database.query<{ id: string }>("SELECT id FROM role_grant WHERE member_id = $1", id);
  if (!grant) throw new Error(`no grant for ${id}`);
  return grant.id;
}

const savedView = (desk: Desk, name: string) =>
  desk.call<{ id: string }>(desk.people.finance, "savedViews.save", { list: "payments", name, query: "status=failed" });

const rowsOf = (desk: Desk, sql: string, id: string) => () => desk.lane.bridge.world.database.query(sql, id);

/** The names of the finance member's saved views. */
const viewNames = (desk: Desk) =>
  rowsOf(desk, "SELECT name FROM saved_view WHERE member_id = $1", desk.people.finance.id);

async function clearViews(desk: Desk): Promise<void> {
  await desk.lane.bridge.world.database.query("DELETE FROM saved_view WHERE member_id = $1", desk.people.finance.id);
}

/** An act of a new member about their own account; `sql` reads what the audit log does not tell of it. */
async function onePerson(
  desk: Desk,
  inputOf: (person: Person) => Promise<object> | object,
  sql?: string,
): Promise<Mutation> {
  const person = await desk.newPerson("developer");
  const input = await inputOf(person);
  return byOneself(person, input, sql === undefined ? undefined : rowsOf(desk, sql, person.id));
}

const TERMS = { types: ["security"], pace: "immediate", time_zone: "UTC", daily_at: "09:00", quiet_hours: null };
const SETTINGS = "SELECT time_zone, language FROM member_setting WHERE member_id = $1";
const REGISTRATIONS = "SELECT channel, types, pace FROM notification_registration WHERE member_id = $1";

const registrationBody = ({ lane }: Desk) => ({ ...TERMS, channel: "slack", url: lane.receiver.url });

/** A person's registration for notifications; returns its id. */
async function newRegistration(desk: Desk, person: Person): Promise<string> {
  const body = registrationBody(desk);
  return (await desk.call<{ registration: { id: string } }>(person, "notifications.create", body)).registration.id;
}

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** Has the person begin to set up one-time codes; returns the secret. */
const begunTotp = async (desk: Desk, person: Person) =>
  (await desk.call<{ secret: string }>(person, "account.beginTotp", { password: person.password })).secret;

export const MUTATIONS: Readonly<Record<string, Prepare>> = {
  "payoutIntents.create": async (desk) =>
    byOwner(desk, { recipient_id: await newRecipient(desk), amount: "100", merchant_reference: unused("payout") }),
  "payoutRecipients.save": async (desk) => byOwner(desk, recipientBody()),
  "payoutRecipients.remove": async (desk) => byOwner(desk, { id: await newRecipient(desk) }),
  "payoutIntents.approve": async (desk) => byOwner(desk, await newPayout(desk)),
  "payoutIntents.cancel": async (desk) => byOwner(desk, { id: (await newPayout(desk)).id, reason: "cut" }),
  "topupIntents.create": async (desk) => {
    const body = topupBody();
    const { database } = desk.lane.bridge.world;
    const topups = () =>
      database.query(
        'SELECT status, next_action IS NOT NULL AS "hasInstructions" FROM topup_intent WHERE merchant_reference = $1',
        body.merchant_reference,
      );
    return byOwner(desk, body, topups);
  },
  "apiKeys.create": async (desk) => byOwner(desk, { name: unused("key") }),
  "apiKeys.roll": async (desk) => byOwner(desk, { id: (await newKey(desk)).id, grace_seconds: 60 }),
  "apiKeys.revoke": async (desk) => byOwner(desk, { id: (await newKey(desk)).id }),
  "merchantSettings.setName": async (desk) => byOwner(desk, { name: unused("merchant") }),
  "merchantSettings.setBrand": async (desk) => byOwner(desk, { color: `#${unused("").slice(-6)}` }),
  "merchantSettings.changeTopupPolicies": async (desk) => {
    const policies = { overpayment: "credit_actual", underpayment: "credit_actual", late_payment: "hold" };
    const { owner } = desk.people;
    await desk.call(owner, "merchantSettings.changeTopupPolicies", { ...policies, password: owner.password });
    return byOwner(desk, { ...policies, overpayment: "hold" });
  },
  "members.invite": async (desk) =>
    byOwner(desk, { email: `${unused("invited")}@staff.example`, roles: ["developer"] }),
  "members.setRoles": async (desk) => byOwner(desk, { id: (await desk.newPerson("developer")).id, roles: ["finance"] }),
  "members.setTestRoles": async (desk) =>
    byOwner(desk, { id: (await desk.newPerson("developer")).id, roles: ["finance"] }),
  "members.disable": async (desk) => byOwner(desk, { id: (await desk.newPerson("developer")).id }),
  "members.enable": async (desk) => {
    const { id } = await desk.newPerson("developer");
    const { owner } = desk.people;
    await desk.call(owner, "members.disable", { id, password: owner.password });
    return byOwner(desk, { id });
  },
  "members.endSessions": async (desk) => byOwner(desk, { id: (await desk.newPerson("developer")).id }),
  "members.revokeLink": async (desk) => {
    const { id } = await desk.newPerson("developer");
    await desk.call(desk.people.owner, "members.resetPassword", { id, password: desk.people.owner.password });
    return byOwner(desk, { id });
  },
  "members.resetPassword": async (desk) => byOwner(desk, { id: (await desk.newPerson("developer")).id }),
  "members.confirmGrant": async (desk) => byOwner(desk, { grant_id: await proposedGrant(desk) }),
  "members.rejectGrant": async (desk) => byOwner(desk, { grant_id: await proposedGrant(desk) }),
  "approvalPolicies.propose": async (desk) => {
    const version = await proposedPolicy(desk);
    await desk.call(desk.people.owner, "approvalPolicies.reject", { version });
    return byOwner(desk, { policy: { default_approvals: 1, rules: [] } });
  },
  "approvalPolicies.confirm": async (desk) => byOwner(desk, { version: await proposedPolicy(desk) }),
  "approvalPolicies.reject": async (desk) => byOwner(desk, { version: await proposedPolicy(desk) }),
  "payoutLimits.set": async (desk) => {
    const amount = String(1_000_000 + Math.floor(Math.random() * 1_000_000));
    const limits = { amount_at_most: amount, day_at_most: null, recipient_day_at_most: null };
    return byOwner(desk, { api_key_id: null, currency: "BRL", ...limits });
  },
  "exceptions.take": async (desk) => byOwner(desk, { id: await lateMoney(desk) }),
  "exceptions.settle": async (desk) => byOwner(desk, { id: await lateMoney(desk), as: "credit", resolution: "Cut." }),
  "refunds.propose": async (desk) => byOwner(desk, { id: await lateMoney(desk), reason: "Cut." }),
  "refunds.confirm": async (desk) => byOwner(desk, { id: await proposedRefund(desk) }),
  "refunds.reject": async (desk) => byOwner(desk, { id: await proposedRefund(desk) }),
  "refunds.proposeEnd": async (desk) => byOwner(desk, { id: await silentRefund(desk), ...FOUND }),
  "refunds.rejectEnd": async (desk) => byOwner(desk, { id: await foundEnd(desk) }),
  "deliveries.resend": async (desk) => {
    await newEndpoint(desk, desk.lane.receiver.url);
    const event = await endedPayment(testApi(desk));
    const { id } = await untilDelivery(testApi(desk), event.id, ({ state }) => state === "delivered");
    return byOwner(desk, { id });
  },
  "deliveries.replay": async (desk) => {
    await removeEndpoints(desk);
    const since = new Date(Date.now() - 60_000).toISOString();
    const event = await endedPayment(testApi(desk));
    const endpoint_id = await newEndpoint(desk, desk.lane.receiver.url);
    const deliveries = async () => (await deliveriesOf(testApi(desk), event.id)).length;
    return byOwner(desk, { endpoint_id, since }, deliveries);
  },
  "webhookEndpoints.create": async (desk) => {
    await removeEndpoints(desk);
    return byOwner(desk, { url: `${PUBLIC_URL}/${unused("hook")}` });
  },
  "webhookEndpoints.update": async (desk) =>
    byOwner(desk, { id: await newEndpoint(desk, PUBLIC_URL), url: `${PUBLIC_URL}/${unused("hook")}` }),
  "webhookEndpoints.rotateSecret": async (desk) => byOwner(desk, { id: await newEndpoint(desk, PUBLIC_URL) }),
  "webhookEndpoints.remove": async (desk) => byOwner(desk, { id: await newEndpoint(desk, PUBLIC_URL) }),
  "notifications.create": (desk) => onePerson(desk, () => registrationBody(desk), REGISTRATIONS),
  "notifications.update": (desk) =>
    onePerson(
      desk,
      async (person) => ({ ...TERMS, pace: "daily", id: await newRegistration(desk, person) }),
      REGISTRATIONS,
    ),
  "notifications.remove": (desk) =>
    onePerson(desk, async (person) => ({ id: await newRegistration(desk, person) }), REGISTRATIONS),
  "notifications.test": (desk) =>
    onePerson(
      desk,
      async (person) => ({ id: await newRegistration(desk, person) }),
      `SELECT DISTINCT n.type FROM notification n
       JOIN notification_registration r ON (r.merchant_id, r.id) = (n.merchant_id, n.registration_id)
       WHERE r.member_id = $1`,
    ),
  "savedViews.save": async (desk) => {
    await clearViews(desk);
    const view = { list: "payments", name: "saved", query: "status=failed" };
    return byOneself(desk.people.finance, view, viewNames(desk));
  },
  "savedViews.rename": async (desk) => {
    await clearViews(desk);
    const { id } = await savedView(desk, unused("view"));
    return byOneself(desk.people.finance, { id, name: "renamed" }, viewNames(desk));
  },
  "savedViews.remove": async (desk) => {
    await clearViews(desk);
    const { id } = await savedView(desk, unused("view"));
    return byOneself(desk.people.finance, { id }, viewNames(desk));
  },
  "session.chooseLanguage": (desk) => onePerson(desk, () => ({ language: "es" }), SETTINGS),
  "session.chooseTimeZone": (desk) => onePerson(desk, () => ({ time_zone: "Asia/Tokyo" }), SETTINGS),
  "session.signOutEverywhere": (desk) => onePerson(desk, () => ({})),
  "account.endOtherSessions": (desk) =>
    onePerson(desk, async (person) => {
      await desk.signIn(person);
      return {};
    }),
  "account.changeName": (desk) => onePerson(desk, ({ password }) => ({ name: "Ana Souza", password })),
  "account.changePassword": (desk) =>
    onePerson(desk, ({ password }) => ({ current: password, next: unused("password") })),
  "account.beginTotp": (desk) =>
    onePerson(
      desk,
      ({ password }) => ({ password }),
      "SELECT count(*)::int AS codes FROM member_totp WHERE member_id = $1",
    ),
  "account.confirmTotp": (desk) => onePerson(desk, async (person) => ({ code: codeOf(await begunTotp(desk, person)) })),
};
