// Attacks on sign-in: guessing passwords and codes, and locking members out.
import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeEach, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { makeMerchant } from "@/server/testing/merchant";
import { addMember } from "../members/manage";
import { changeOwnPassword } from "../members/passwords";
import { createMerchant } from "../merchants/create";
import { operatorContext } from "../merchants/operator";
import { type Device, rememberDevice } from "./known-device";
import { signIn } from "./sign-in";
import { createSignInThrottle } from "./sign-in-throttle";
import { beginTotp, confirmTotp } from "./totp";
import { unlockMember } from "./unlock";

const PASSWORD = "correct horse battery";
const WRONG = "wrong horse battery";

interface Person {
  readonly id: string;
  readonly merchantId: string;
  readonly email: string;
}

async function newMember(email = `${randomUUID()}@staff.example`, password = PASSWORD): Promise<Person> {
  const merchantId = await createMerchant("Guessed", ["BRL"]);
  const id = await addMember(operatorContext(merchantId, "test"), { email, roles: ["owner"] }, password);
  return { id, merchantId, email };
}

let member: Person;
beforeEach(async () => {
  member = await newMember();
});
afterAll(disconnect);

const attempt = (password: string, address: string, device: Device | null = null) =>
  signIn({ email: member.email, password, address, device });

async function fail(times: number, address: () => string, device: Device | null = null) {
  for (let failure = 0; failure < times; failure += 1) await attempt(WRONG, address(), device);
}

function contextOf({ id, merchantId }: Person): CallContext {
  const scope = { merchantId, environment: "test" } as const;
  return { scope, actor: { type: "member", id }, requestId: null, address: "192.0.2.9" };
}

async function entriesAbout({ merchantId, id }: Person) {
  return query<{ action: string; after: object; actor_type: string; address: string | null }>(
    "SELECT action, after, actor_type, address FROM audit_entry WHERE merchant_id = $1 AND object_id = $2 ORDER BY id",
    merchantId,
    id,
  );
}

it("ten wrong passwords pause the source, even for the right password, and no other source", async () => {
  const home = randomUUID();
  await fail(10, () => home);
  expect(await attempt(PASSWORD, home)).toBeNull();
  expect(await attempt(PASSWORD, randomUUID())).toMatchObject({ id: member.id });
});

it("a stranger cannot lock a member out of a known device", async () => {
  const device = await rememberDevice(member, null);
  const office = randomUUID();
  await fail(12, () => office);
  await fail(40, randomUUID);
  expect(await attempt(PASSWORD, randomUUID())).toBeNull();
  expect(await attempt(PASSWORD, office, device)).toMatchObject({ id: member.id });
});

it("guesses at many accounts from the office's address do not lock out its known devices", async () => {
  const device = await rememberDevice(member, null);
  const office = randomUUID();
  for (let n = 0; n < 50; n += 1)
    await signIn({ email: `${randomUUID()}@x.example`, password: WRONG, address: office });
  expect(await attempt(PASSWORD, office)).toBeNull();
  expect(await attempt(PASSWORD, office, device)).toMatchObject({ id: member.id });
});

it("a known device has ten attempts of its own and keeps its count", async () => {
  const device = await rememberDevice(member, null);
  await fail(10, randomUUID, device);
  expect(await attempt(PASSWORD, randomUUID(), device)).toBeNull();
  expect(await rememberDevice(member, device)).toEqual(device);
});

it("a device of another member, or from before a password change, counts as unknown", async () => {
  const stranger = await newMember();
  const [others, former] = [await rememberDevice(stranger, null), await rememberDevice(member, null)];
  await changeOwnPassword(contextOf(member), { current: PASSWORD, next: "another horse battery", keepSession: "" });
  await fail(40, randomUUID);
  for (const device of [others, former])
    expect(await attempt("another horse battery", randomUUID(), device)).toBeNull();
  const present = await rememberDevice(member, former);
  expect(present?.id).not.toBe(former?.id);
  expect(await attempt("another horse battery", randomUUID(), present)).toMatchObject({ id: member.id });
});

it("a success in another merchant does not reset the count", async () => {
  const home = randomUUID();
  const other = await newMember(member.email, "another horse battery");
  for (let round = 0; round < 5; round += 1) {
    expect(await attempt(WRONG, home)).toBeNull();
    expect(await attempt("another horse battery", home)).toMatchObject({ id: other.id });
  }
  expect(await attempt(PASSWORD, home)).toBeNull();
  expect(await attempt("another horse battery", home)).toMatchObject({ id: other.id });
});

it("random addresses do not evict a member's count", async () => {
  const home = randomUUID();
  await fail(10, () => home);
  for (let n = 0; n < 100; n += 1)
    await signIn({ email: `${n}@random.example`, password: WRONG, address: randomUUID() });
  expect(await attempt(PASSWORD, home)).toBeNull();
});

it("a stranger cannot block a member's own change of password", async () => {
  await fail(40, randomUUID);
  const change = { current: PASSWORD, next: "another horse battery", keepSession: "" };
  await expect(changeOwnPassword(contextOf(member), change)).resolves.toBeUndefined();
});

it("ten wrong passwords in a session pause the password check of sessions", async () => {
  const change = (current: string) =>
    changeOwnPassword(contextOf(member), { current, next: "another horse battery", keepSession: "" });
  for (let n = 0; n < 10; n += 1) await expect(change(WRONG)).rejects.toMatchObject({ code: "validation_failed" });
  await expect(change(PASSWORD)).rejects.toMatchObject({ code: "validation_failed" });
  expect((await entriesAbout(member)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(["member.password_refused", "member.password_paused"]),
  );
});

it("ten wrong codes pause the source for the right code; known devices and sessions are not affected", async () => {
  const owner = { merchantId: member.merchantId, memberId: member.id };
  const { secret } = await beginTotp(owner, member.email, "");
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await confirmTotp(contextOf(member), totp.generate({ timestamp: Date.now() - 30_000 }), "");
  const home = randomUUID();
  const withCode = (code: string, device: Device | null = null) =>
    signIn({ email: member.email, password: PASSWORD, address: home, code, device });
  for (let n = 0; n < 10; n += 1) await expect(withCode("000")).rejects.toThrow("Enter the code");
  await expect(withCode(totp.generate())).rejects.toThrow("Enter the code");
  const device = await rememberDevice(member, null);
  expect(await withCode(totp.generate(), device)).toMatchObject({ id: member.id });
  expect((await entriesAbout(member)).filter(({ action }) => action.startsWith("member.code"))).toMatchObject([
    { action: "member.code_refused", after: { failures: 1 } },
    { action: "member.code_paused", after: { failures: 10, paused: "address" } },
  ]);
});

it("an address has fifty wrong codes, whichever members they are for", async () => {
  const codes = createSignInThrottle("code");
  const office = randomUUID();
  for (let n = 0; n < 50; n += 1) expect(await codes.beginFrom(office)).toBe(true);
  const { secret } = await beginTotp({ merchantId: member.merchantId, memberId: member.id }, member.email, "");
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await confirmTotp(contextOf(member), totp.generate({ timestamp: Date.now() - 30_000 }), "");
  const withCode = (address: string) =>
    signIn({ email: member.email, password: PASSWORD, address, code: totp.generate() });
  await expect(withCode(office)).rejects.toThrow("Enter the code");
  expect(await withCode(randomUUID())).toMatchObject({ id: member.id });
});

it("refused sign-ins are audited, and a flood cannot fill the audit log", async () => {
  const home = "203.0.113.7";
  await fail(60, () => home);
  const first = (await entriesAbout(member)).slice(1);
  expect(first).toMatchObject([
    { action: "member.sign_in_refused", after: { failures: 1 }, actor_type: "worker", address: home },
    { action: "member.sign_in_paused", after: { failures: 10, paused: "address" } },
  ]);
  await fail(200, randomUUID);
  const all = await entriesAbout(member);
  expect(all.at(-1)).toMatchObject({
    action: "member.sign_in_paused",
    after: { failures: 30, paused: "unknown_devices" },
  });
  expect(all.length).toBeLessThanOrEqual(6);
});

it("unlocking clears the counts of all sources, as the operator's act", async () => {
  const home = randomUUID();
  await fail(10, () => home);
  await fail(40, randomUUID);
  expect(await unlockMember(operatorContext(member.merchantId, "test"), member.id)).toBeGreaterThan(2);
  const otherProcess = createSignInThrottle("password");
  expect(await otherProcess.begin(member.id, { kind: "address", address: home })).toEqual({ number: 1, pauses: null });
  const [count] = await query<{ n: number }>(
    "SELECT count(*)::int AS n FROM audit_entry WHERE object_id = $1 AND action = 'member.unlock' AND actor_type = 'operator'",
    member.id,
  );
  expect(count?.n).toBe(1);
});

it("a known device of one merchant's member gives no attempts back that another's sign-in never took", async () => {
  const [first, second] = [await makeMerchant(), await makeMerchant()];
  const email = `${crypto.randomUUID()}@shop.example`;
  const add = (merchantId: string, password: string) =>
    addMember(operatorContext(merchantId, "test"), { email, roles: ["developer"] }, password);
  const [known, password] = [await add(first.merchantId, "correct horse one"), "correct horse two"];
  await add(second.merchantId, password);
  const device = await rememberDevice({ merchantId: first.merchantId, id: known }, null);
  const address = "198.51.100.77";
  const points = async () =>
    (await query<{ points: number }>("SELECT points FROM sign_in_count WHERE key LIKE '%password:address%'"))[0]
      ?.points;
  for (let n = 0; n < 6; n += 1) await signIn({ email: `nobody${n}@x.example`, password: "wrong", address });
  const before = await points();
  for (let n = 0; n < 3; n += 1) expect(await signIn({ email, password, address, device })).not.toBeNull();
  expect(await points()).toBe(before);
});
