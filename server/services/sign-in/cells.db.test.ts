// Signing in to one of two cells: the directory of people, passwords, passkeys and single sign-on, and what a stranger learns.
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { isDatabaseOutage } from "@/server/db/failures";
import * as members from "@/server/db/members";
import { whileAway } from "@/server/db/testing/away";
import { configureCells, openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import { statementsOf } from "@/server/db/testing/statement-texts";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { type Env, env } from "@/server/platform/env";
import { tagOfId } from "@/server/platform/ids";
import { createKeyRing, type KeyRing } from "@/server/platform/key-ring";
import { keyRing } from "@/server/platform/keys";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant } from "@/server/testing/merchant";
import { addMember, disableMember, inviteMember } from "../members/manage";
import { operatorContext } from "../merchants/operator";
import { type Device, rememberDevice } from "./known-device";
import { beginPasskeySignIn } from "./passkeys";
import { notePeople, notePerson } from "./person-cells";
import { signIn } from "./sign-in";
import { membershipsOf, type ProvenIdentity, signInByIdentity } from "./sign-in-by-identity";
import { signInByPasskey } from "./sign-in-by-passkey";
import { createSignInThrottle } from "./sign-in-throttle";
import type { SoftwareAuthenticator } from "./testing/authenticator";
import { addPasskey } from "./testing/passkey-holder";
import { enterAs } from "./testing/sessions";

const PASSWORD = "correct horse battery";
const UNAVAILABLE = { code: "service_unavailable" };
const shared = globalThis as typeof globalThis & { sluiceKeyRing?: KeyRing; sluiceEnv?: Env };

let cells: TwoCells;
beforeAll(async () => {
  cells = await openTwoCells();
});
beforeEach(() => inEachCell(() => query("DELETE FROM sign_in_count")));
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

interface Person {
  readonly cell: Cell;
  readonly merchantId: string;
  readonly id: string;
  readonly email: string;
}

const newEmail = () => `${randomUUID()}@staff.example`;

function makePerson(cell: Cell, email = newEmail(), password = PASSWORD): Promise<Person> {
  return inCell(cell, async () => {
    const { merchantId } = await makeMerchant();
    const id = await addMember(operatorContext(merchantId, "test"), { email, roles: ["owner"] }, password);
    return { cell, merchantId, id, email };
  });
}

/** Each attempt from an address of its own, so that failures of other tests do not count. */
const tryIn = (email: string, password = PASSWORD, device: Device | null = null) =>
  signIn({ email, password, address: randomUUID(), device });

const found = async (email: string, password = PASSWORD) => (await tryIn(email, password))?.id ?? null;

const inFirst = <Row>(sql: string, ...values: unknown[]) => inCell(cells.first, () => query<Row>(sql, ...values));
const directory = () => inFirst<{ person: string; cell_tag: string }>("SELECT person, cell_tag FROM person_cell");

/** One whole pass of the worker in the second cell. */
const passed = () =>
  inCell(cells.second, async () => {
    while ((await notePeople()) > 0);
  });

describe("the directory", () => {
  it("notes the people of a further cell as keyed digests in the first one, and nobody of the first", async () => {
    const before = (await directory()).length;
    const email = newEmail();
    const person = await makePerson(cells.second, email);
    const rows = await directory();
    expect(rows).toHaveLength(before + 1);
    expect(rows.at(-1)).toEqual({ person: expect.stringMatching(/^[0-9a-f]{8}\.[0-9a-f]{64}$/), cell_tag: "e2" });
    await makePerson(cells.first, email);
    await makePerson(cells.first);
    expect(await directory()).toHaveLength(before + 1);
    expect(await inCell(person.cell, () => query("SELECT FROM person_cell"))).toEqual([]);
  });

  it("is written before the member: a crash between the two leaves a row too many, and the invitation can be repeated", async () => {
    const { merchantId } = await makePerson(cells.second);
    const email = newEmail();
    const before = (await directory()).length;
    const invite = () =>
      inCell(cells.second, () => inviteMember(operatorContext(merchantId, "test"), { email, roles: ["finance"] }));
    const crash = vi.spyOn(members, "insertMember").mockRejectedValueOnce(new Error("the process ended"));
    await expect(invite()).rejects.toThrow("the process ended");
    crash.mockRestore();
    expect(await directory()).toHaveLength(before + 1);
    expect(await found(email)).toBeNull();
    const results = await Promise.allSettled([invite(), invite(), invite()]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = results.filter(({ status }) => status === "rejected");
    for (const one of refused) expect(one).toMatchObject({ reason: { code: "validation_failed" } });
    expect(await directory()).toHaveLength(before + 1);
  });

  it("is repaired by the worker: after a lost row, a restored backup, or an outage of the first cell", async () => {
    const person = await makePerson(cells.second);
    await inFirst("DELETE FROM person_cell");
    expect(await found(person.email)).toBeNull();
    await passed();
    expect(await found(person.email)).toBe(person.id);
    const email = newEmail();
    const late = await whileAway(cells, "first", () => makePerson(cells.second, email));
    expect(await found(email)).toBeNull();
    await passed();
    expect(await found(email)).toBe(late.id);
  });

  it("needs no statement of the worker in the first cell", async () => {
    const texts = await statementsOf(() => inCell(cells.first, notePeople));
    expect(texts).toEqual([]);
  });

  it("finds people after a new secret, and moves to its key", async () => {
    const person = await makePerson(cells.second);
    await passed();
    const secret = env().secrets[0] as Buffer;
    const before = keyRing();
    try {
      shared.sluiceKeyRing = createKeyRing([randomBytes(32), secret]);
      expect(await found(person.email)).toBe(person.id);
      const under = (ring: KeyRing) => async () =>
        (await directory()).filter((row) => row.person.startsWith(ring.current("person-cell").id)).length;
      const [old, fresh] = [under(before), under(shared.sluiceKeyRing)];
      const count = await old();
      await passed();
      expect([await old(), await fresh()]).toEqual([count, count]);
      // Rows are never changed, so an old one stands for an hour.
      const current = shared.sluiceKeyRing.current("person-cell").id;
      const aged =
        "INSERT INTO person_cell (person, cell_tag, noted_at) VALUES ($1, 'e2', now() - interval '61 minutes')";
      await inFirst(aged, `${current}.${"0".repeat(64)}`);
      await passed();
      expect([await old(), await fresh()]).toEqual([0, count + 1]);
      expect(await found(person.email)).toBe(person.id);
    } finally {
      shared.sluiceKeyRing = before;
      await passed();
    }
    expect(await found(person.email)).toBe(person.id);
  });
});

describe("a password", () => {
  it("signs in to the cell that knows the person", async () => {
    for (const cell of [cells.first, cells.second]) {
      const person = await makePerson(cell);
      const member = await tryIn(person.email.toUpperCase());
      expect(member).toMatchObject({ id: person.id, merchantId: person.merchantId, cell });
      const sessionId = await inCell(cell, () => enterAs(person));
      expect(tagOfId(sessionId)).toBe(cell.tag);
    }
  });

  it("decides between the cells of one address; of two right ones the first cell's", async () => {
    const email = newEmail();
    const one = await makePerson(cells.first, email, "a phrase of the first");
    const other = await makePerson(cells.second, email, "a phrase of the second");
    expect([await found(email, "a phrase of the first"), await found(email, "a phrase of the second")]).toEqual([
      one.id,
      other.id,
    ]);
    expect(await found(email)).toBeNull();
    const both = newEmail();
    const first = await makePerson(cells.first, both);
    await makePerson(cells.second, both);
    expect(await found(both)).toBe(first.id);
  });

  it("of a removed member, of a row too many and of a stranger have one answer", async () => {
    const person = await makePerson(cells.second);
    await inCell(cells.second, () => disableMember(operatorContext(person.merchantId, "test"), person.id));
    const stale = newEmail();
    await inCell(cells.second, () => notePerson(stale));
    expect([await found(person.email), await found(stale), await found(newEmail())]).toEqual([null, null, null]);
  });

  it("has as many attempts as with one cell, for members of any cell and for strangers", async () => {
    const both = newEmail();
    await makePerson(cells.first, both, "a phrase of the first");
    const there = await makePerson(cells.second, both);
    const only = await makePerson(cells.second);
    for (const [email, right] of [
      [both, PASSWORD],
      [only.email, PASSWORD],
      [newEmail(), "any"],
    ] as const) {
      const address = randomUUID();
      const attempt = (password: string) => signIn({ email, password, address });
      for (let n = 0; n < 10; n += 1) expect(await attempt("a wrong phrase")).toBeNull();
      // The eleventh is not even compared.
      expect(await attempt(right)).toBeNull();
    }
    expect(await found(both)).toBe(there.id);
  });

  it("has one count of each network address for all cells", async () => {
    const limits = { failuresPerSource: 10, failuresPerMember: 30, failuresPerAddress: 3, windowMs: 60_000 };
    const address = "198.51.100.7";
    const throttles = [cells.first, cells.second].map((cell) => {
      const throttle = inCell(cell, () => createSignInThrottle("code", limits));
      return () => inCell(cell, () => throttle.beginFrom(address));
    });
    const taken: boolean[] = [];
    for (let n = 0; n < 4; n += 1) taken.push((await throttles[n % 2]?.()) ?? false);
    expect(taken).toEqual([true, true, true, false]);
    expect(await inCell(cells.second, () => query("SELECT FROM sign_in_count"))).toEqual([]);
  });

  it("costs an unknown address the statements of a known one in the first cell, and no other cell anything", async () => {
    const person = await makePerson(cells.second);
    await tryIn(person.email);
    const unknown = await statementsOf(() => tryIn(newEmail(), "a wrong phrase"));
    expect(unknown.filter((text) => text.includes("FROM person_cell"))).toHaveLength(1);
    expect(unknown.filter((text) => text.includes("password_hash"))).toHaveLength(1);
    const known = await statementsOf(() => tryIn(person.email, "a wrong phrase"));
    expect(known.filter((text) => text.includes("password_hash"))).toHaveLength(2);
  });

  it("with one cell takes no statement more", async () => {
    const person = await makePerson(cells.first);
    const second = cells.second.databaseUrl ?? "";
    await tryIn(person.email);
    configureCells(null);
    try {
      for (const email of [person.email, newEmail()]) {
        await tryIn(email, "a wrong phrase");
        const texts = await statementsOf(() => tryIn(email, "a wrong phrase"));
        expect(texts.filter((text) => /person_cell|SELECT 1/.test(text))).toEqual([]);
        expect(texts.filter((text) => text.includes("password_hash"))).toHaveLength(1);
      }
      const { merchantId } = person;
      const invited = await statementsOf(() =>
        inviteMember(operatorContext(merchantId, "test"), { email: newEmail(), roles: ["finance"] }),
      );
      expect(invited.filter((text) => text.includes("person_cell"))).toEqual([]);
    } finally {
      configureCells([{ name: "eu2", tag: "e2", url: second }]);
    }
  });
});

describe("a passkey", () => {
  const BROWSER = "the secret of this browser";

  async function enrolled(cell: Cell) {
    const person = await makePerson(cell);
    const { authenticator } = await inCell(cell, () => addPasskey(person, PASSWORD));
    return { person, authenticator };
  }

  /** Signs in with what the authenticator says, whose member is `handle`. */
  async function enter(authenticator: SoftwareAuthenticator, handle: string) {
    const { challenge } = await beginPasskeySignIn(BROWSER);
    const assertion = authenticator.sign(challenge, {}, handle);
    const attempt = () => signInByPasskey({ assertion, binding: BROWSER, address: randomUUID() });
    return { member: await attempt(), repeated: await attempt() };
  }

  it("signs in to the cell that the authenticator's member names, once a challenge", async () => {
    for (const cell of [cells.first, cells.second]) {
      const { person, authenticator } = await enrolled(cell);
      const { member, repeated } = await enter(authenticator, person.id);
      expect(member).toMatchObject({ id: person.id, merchantId: person.merchantId, cell });
      expect(repeated).toBeNull();
    }
    expect(await inCell(cells.second, () => query("SELECT FROM passkey_challenge WHERE purpose = 'sign_in'"))).toEqual(
      [],
    );
  });

  it("with a forged member signs in nobody", async () => {
    const { person, authenticator } = await enrolled(cells.second);
    const other = await makePerson(cells.first);
    for (const handle of [other.id, person.id.replace(/(?<=[gh])e2/, "zz"), "", "mem_1"])
      expect((await enter(authenticator, handle)).member).toBeNull();
    expect((await enter(authenticator, person.id)).member).toMatchObject({ id: person.id });
  });
});

describe("single sign-on", () => {
  beforeAll(() => {
    const openId = { issuer: "https://login.example.com", clientId: "s", clientSecret: "s", name: "Acme" };
    shared.sluiceEnv = { ...env(), openId: { ...openId, isOnlyWay: false, alwaysTwoFactors: false } };
  });

  const identityOf = (email: string | null, subject: string = randomUUID()): ProvenIdentity => ({
    issuer: "https://login.example.com",
    subject,
    email,
    authenticatedAt: new Date(),
    hasTwoFactors: false,
  });

  /** A person who was invited and has chosen no password. */
  async function invited(cell: Cell, email: string): Promise<Person> {
    return inCell(cell, async () => {
      const { merchantId } = await makeMerchant();
      const { id } = await inviteMember(operatorContext(merchantId, "test"), { email, roles: ["owner"] });
      return { cell, merchantId, id, email };
    });
  }

  it("finds the cell by the address, and afterwards by the identity alone", async () => {
    const person = await invited(cells.second, newEmail());
    const identity = identityOf(person.email);
    const expected = { id: person.id, merchantId: person.merchantId, cell: cells.second };
    expect(await signInByIdentity(identity, "")).toMatchObject(expected);
    expect(await signInByIdentity({ ...identity, email: null }, "")).toMatchObject(expected);
    expect(await signInByIdentity({ ...identity, email: newEmail() }, "")).toMatchObject(expected);
    expect(await signInByIdentity(identityOf(newEmail()), "")).toBe("NotAMember");
    await inFirst("DELETE FROM person_cell");
    expect(await signInByIdentity({ ...identity, email: null }, "")).toBe("NotAMember");
    await passed();
    expect(await signInByIdentity({ ...identity, email: null }, "")).toMatchObject(expected);
  });

  it("lets a person of two cells choose", async () => {
    const email = newEmail();
    const [one, other] = [await invited(cells.first, email), await invited(cells.second, email)];
    const identity = identityOf(email);
    expect(await signInByIdentity(identity, "")).toBe("SeveralMerchants");
    expect((await membershipsOf(identity)).found.map(({ merchantId }) => merchantId)).toEqual([
      one.merchantId,
      other.merchantId,
    ]);
    for (const { id, merchantId, cell } of [other, one])
      expect(await signInByIdentity(identity, "", { chosenMerchantId: merchantId })).toMatchObject({ id, cell });
  });

  it("while a cell is away lets a person choose among the others, and tells nobody that they are unknown", async () => {
    const email = newEmail();
    const one = await invited(cells.first, email);
    const other = await invited(cells.second, newEmail());
    const identity = identityOf(email);
    expect(await signInByIdentity(identity, "")).toMatchObject({ id: one.id });
    await whileAway(cells, "second", async () => {
      expect(await signInByIdentity(identity, "")).toBe("SeveralMerchants");
      expect(await membershipsOf(identity)).toMatchObject({ found: [{ id: one.id }], isPartial: true });
      expect(await signInByIdentity(identity, "", { chosenMerchantId: one.merchantId })).toMatchObject({ id: one.id });
      expect(await signInByIdentity(identityOf(other.email), "")).toBe("Unavailable");
      expect(await signInByIdentity(identityOf(newEmail()), "")).toBe("Unavailable");
    });
  });
});

describe("a cell that is away", () => {
  it("does not keep people of the first cell out, and has one answer for its own, for wrong passwords and strangers", async () => {
    const here = await makePerson(cells.first);
    const there = await makePerson(cells.second);
    const both = newEmail();
    await makePerson(cells.first, both, "a phrase of the first");
    await makePerson(cells.second, both);
    await whileAway(cells, "second", async () => {
      expect(await found(here.email)).toBe(here.id);
      expect(await tryIn(both, "a phrase of the first")).toMatchObject({ cell: { name: "main" } });
      const refused = [
        tryIn(there.email),
        tryIn(there.email, "a wrong phrase"),
        tryIn(both),
        tryIn(here.email, "a wrong phrase"),
        tryIn(newEmail()),
      ];
      for (const attempt of await Promise.allSettled(refused))
        expect(attempt).toMatchObject({ status: "rejected", reason: UNAVAILABLE });
    });
    expect(await found(there.email)).toBe(there.id);
  });

  it("if it is the first, lets in who signed in to another in this browser before", async () => {
    const person = await makePerson(cells.second);
    const colleague = await makePerson(cells.second);
    const device = await inCell(cells.second, () => rememberDevice(person, null));
    expect(device).not.toBeNull();
    await whileAway(cells, "first", async () => {
      expect(await tryIn(person.email, PASSWORD, device)).toMatchObject({ id: person.id, cell: { name: "eu2" } });
      await expect(tryIn(person.email, "a wrong phrase", device)).rejects.toMatchObject(UNAVAILABLE);
      const forged = { ...(device as Device), passwordTag: "0".repeat(32) };
      const strangers = [
        tryIn(person.email),
        tryIn(person.email, PASSWORD, forged),
        tryIn(colleague.email, PASSWORD, device),
      ];
      const errors = await Promise.all(strangers.map((one) => one.catch((error: unknown) => error)));
      expect(errors.map(isDatabaseOutage)).toEqual([true, true, true]);
    });
  });
});
