// Who is notified of an exception that a colleague assigned: its new owner, once, while they own it and it is open.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import { stuckException } from "@/server/domain/exceptions";
import { newId } from "@/server/platform/ids";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { assignException, resolveException, takeException } from "../exceptions/decide";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { disableMember } from "../members/manage";
import { operatorContext } from "../merchants/operator";
import { findNotifications } from "./find";
import { makePerson, notificationsOf, openStage, type Person, register, type Stage, work } from "./testing/stage";

let stage: Stage;
let merchant: TestMerchant;
let bea: Person;
let ana: Person;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage.close();
  await disconnect();
});
beforeEach(async () => {
  await query("DELETE FROM notification_registration");
  merchant = await makeMerchant();
  [bea, ana] = [await makePerson(merchant, ["owner"]), await makePerson(merchant, ["finance"])];
  return requireInvariants;
});

const TYPES = { types: ["exception_assigned"] } as const;

/** Opens an exception in the scope; returns its id and what it is about. */
async function opened(scope = merchant.scope): Promise<{ readonly id: string; readonly objectId: string }> {
  const objectId = newId("payoutIntent");
  await openException({ ...stuckException(objectId, "standstill", "Secret detail."), scope }, new Date());
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: scope.merchantId, openOnly: true });
  return { id: exceptions.find((one) => one.objectId === objectId)?.id ?? "", objectId };
}

const assign = (id: string, to: Person | null, by = bea) => assignException(by.context, id, to?.id ?? null);
const mailsTo = (person: Person) => stage.mailsTo(person.email);
const registered = async (person: Person) => (await register(person, TYPES)).id;

it("the new owner gets one mail, without its detail; nobody else does", async () => {
  const stranger = await makePerson(await makeMerchant(), ["owner"]);
  const inLive = await makePerson(merchant, ["owner"], "live");
  for (const person of [bea, ana, stranger, inLive]) await registered(person);
  const [first, second, nobodys] = [await opened(), await opened(), await opened()];
  for (const { id } of [first, second]) await assign(id, ana);
  await work();
  await work();
  const [mail, ...others] = mailsTo(ana);
  expect(others).toEqual([]);
  expect(mail).toContain("2 exceptions assigned to you");
  for (const { objectId } of [first, second]) {
    expect(mail).toContain(`Exception about ${objectId} is assigned to you: stuck, since `);
    expect(mail).toContain(`https://pay.example/test/exceptions?object_id=${objectId}`);
  }
  expect(mail).not.toContain(nobodys.objectId);
  expect(mail).not.toContain("Secret detail");
  for (const person of [bea, stranger, inLive]) expect(mailsTo(person)).toEqual([]);
});

it("who takes an exception, or assigns it to themselves, is not notified", async () => {
  const registration = await registered(bea);
  const [taken, own, back] = [await opened(), await opened(), await opened()];
  await takeException(bea.context, taken.id);
  await assign(own.id, bea);
  await assign(back.id, ana);
  await takeException(bea.context, back.id);
  await work();
  expect(await notificationsOf(registration)).toEqual([]);
});

it("of two colleagues who assign it at once, its owner in the end is notified, and not the other", async () => {
  const eva = await makePerson(merchant, ["admin"]);
  for (const person of [ana, eva]) await registered(person);
  const { id } = await opened();
  await Promise.all([assign(id, ana), assign(id, eva), assign(id, ana), assign(id, eva)]);
  const [row] = await query<{ owner_id: string }>("SELECT owner_id FROM exception WHERE id = $1", id);
  await work();
  for (const person of [ana, eva]) expect(mailsTo(person)).toHaveLength(person.id === row?.owner_id ? 1 : 0);
});

it("assigned away and back within the hour it is notified once, later again", async () => {
  await registered(ana);
  const { id } = await opened();
  await assign(id, ana);
  await work();
  for (const owner of [null, ana, bea, ana]) await assign(id, owner);
  await work();
  expect(mailsTo(ana)).toHaveLength(1);
  await query("UPDATE exception SET assigned_at = assigned_at + interval '61 minutes' WHERE id = $1", id);
  await work();
  expect(mailsTo(ana)).toHaveLength(2);
  await work();
  expect(mailsTo(ana)).toHaveLength(2);
});

it("assigned away before the message is sent it is left out, and assigned back it is notified after all", async () => {
  const registration = await registered(ana);
  const { id } = await opened();
  await assign(id, ana);
  await work(0);
  await assign(id, null);
  await work();
  expect((await notificationsOf(registration)).map(({ state }) => state)).toEqual(["skipped"]);
  await assign(id, ana);
  await work();
  expect(mailsTo(ana)).toHaveLength(1);
});

it("one that was resolved meanwhile notifies nobody, nor does one of a disabled member", async () => {
  const gone = await makePerson(merchant, ["finance"]);
  for (const person of [ana, gone]) await registered(person);
  const [found, unfound, disabled] = [await opened(), await opened(), await opened()];
  await assign(found.id, ana);
  await work(0);
  await resolveException(bea.context, found.id, "Done.");
  await assign(unfound.id, ana);
  await resolveException(bea.context, unfound.id, "Done.");
  await assign(disabled.id, gone);
  await disableMember(operatorContext(merchant.merchantId, "test"), gone.id);
  await work();
  for (const person of [ana, gone]) expect(mailsTo(person)).toEqual([]);
});

it("comes as a signed webhook with its times", async () => {
  await register(ana, { ...TYPES, channel: "webhook", url: `${stage.receiver.url}/mine` });
  const { id, objectId } = await opened();
  await assign(id, ana);
  await work();
  const { type, data } = JSON.parse(stage.receiver.received.at(-1)?.body ?? "{}") as {
    type: string;
    data: { items: Record<string, string>[] };
  };
  expect(type).toBe("notification.exception_assigned");
  expect(data.items).toMatchObject([{ exception_id: id, kind: "stuck", object_id: objectId }]);
  expect(Date.parse(data.items[0]?.assigned_at ?? "")).toBeGreaterThan(Date.now() - 60 * 60_000);
});

it("is no subject of the operator's", async () => {
  const operator = { context: operatorContext("", "test") };
  await expect(register(operator, { ...TYPES, address: "ops@sluice.example" })).rejects.toMatchObject({
    code: "validation_failed",
  });
});

it("two workers at the same time leave one notification", async () => {
  const registration = await registered(ana);
  await assign((await opened()).id, ana);
  await Promise.all([findNotifications(), findNotifications()]);
  expect(await notificationsOf(registration)).toHaveLength(1);
});
