// Members of a merchant that closes to move to another cell, or has moved: their passkeys, passwords and browsers.
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { fence, moveByHand, unfence } from "@/server/db/testing/move-by-hand";
import { openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import { inCell, inEachCell } from "@/server/platform/cell";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant } from "@/server/testing/merchant";
import { addMember } from "../members/manage";
import { operatorContext } from "../merchants/operator";
import { type Device, rememberDevice } from "./known-device";
import { beginPasskeyProof, beginPasskeySignIn, spendPasskey } from "./passkeys";
import { withinSession } from "./session-scope";
import { isPasswordOf } from "./sign-in";
import { signInByPasskey } from "./sign-in-by-passkey";
import { createAuthenticator } from "./testing/authenticator";
import { addPasskey, type PasskeyHolder } from "./testing/passkey-holder";

const PASSWORD = "correct horse battery";
const BROWSER = "the secret of this browser";
/** Failures of one network address that pause it. */
const ADDRESS_FAILURES = 50;

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

interface Person extends PasskeyHolder {
  readonly merchantId: string;
  readonly id: string;
}

/** A member of a new merchant in the first cell, with a password and a passkey. */
const makePerson = (): Promise<Person> =>
  inCell(cells.first, async () => {
    const { merchantId } = await makeMerchant();
    const email = `${randomUUID()}@staff.example`;
    const id = await addMember(operatorContext(merchantId, "test"), { email, roles: ["owner"] }, PASSWORD);
    return { merchantId, id, ...(await addPasskey({ merchantId, id }, PASSWORD)) };
  });

const leave = ({ merchantId }: Person) => moveByHand(cells.first, cells.second, merchantId);

describe("while the merchant closes", () => {
  let person: Person;
  beforeEach(async () => {
    person = await makePerson();
    await fence(cells.first, person.merchantId, "closing", cells.second);
  });
  afterEach(() => unfence(cells.first, person.merchantId));

  /** Runs work of the person's session. */
  const inSession = <Result>(work: () => Result): Result =>
    withinSession({ merchantId: person.merchantId, sessionId: person.call.sessionId }, work);

  const refusals = () =>
    inSession(() =>
      query<{ action: string }>(
        "SELECT action FROM audit_entry WHERE merchant_id = $1 AND action LIKE 'member.%_refused'",
        person.merchantId,
      ),
    );

  it("a member's passkey proves an act of their session", async () => {
    const { merchantId, id: memberId, call, authenticator } = person;
    const isProved = await inSession(async () => {
      const { challenge } = await beginPasskeyProof({ merchantId, memberId }, call.sessionId);
      return spendPasskey(call, authenticator.sign(challenge));
    });
    expect(isProved).toBe(true);
    expect(await refusals()).toEqual([]);
  });

  it("a member's password is right, and another is wrong", async () => {
    const isRight = (password: string) => inSession(() => isPasswordOf(person.call, password));
    expect(await isRight(PASSWORD)).toBe(true);
    expect(await refusals()).toEqual([]);
    expect(await isRight("a wrong phrase")).toBe(false);
    expect(await refusals()).toEqual([{ action: "member.password_refused" }]);
  });

  it("the browser of a member who has just signed in is remembered", async () => {
    expect(await inCell(cells.first, () => rememberDevice(person, null))).toMatchObject({ memberId: person.id });
  });
});

describe("signing in with a passkey", () => {
  async function signIn(
    { id, authenticator }: Pick<Person, "id" | "authenticator">,
    address: string,
    device: Device | null = null,
  ): Promise<string | null> {
    const { challenge } = await beginPasskeySignIn(BROWSER);
    const assertion = authenticator.sign(challenge, {}, id);
    return (await signInByPasskey({ assertion, binding: BROWSER, address, device }))?.id ?? null;
  }

  it.each([
    ["stays", false],
    ["has moved", true],
  ])("of a merchant that %s leaves no failure at the address", async (_, moves) => {
    const person = await makePerson();
    if (moves) await leave(person);
    const address = randomUUID();
    for (let n = 0; n <= ADDRESS_FAILURES; n += 1) expect(await signIn(person, address)).toBe(person.id);
  });

  it("of a merchant that has moved succeeds in a known browser whose address strangers have used up", async () => {
    const person = await makePerson();
    const device = await inCell(cells.first, () => rememberDevice(person, null));
    await leave(person);
    const address = randomUUID();
    const stranger = { id: person.id, authenticator: createAuthenticator() };
    for (let n = 0; n < ADDRESS_FAILURES; n += 1) await signIn(stranger, address);
    expect(await signIn(person, address)).toBeNull();
    expect(await signIn(person, address, device)).toBe(person.id);
  });

  it("with unknown passkeys has as many attempts from an address after a move as before", async () => {
    const person = await makePerson();
    await leave(person);
    const address = randomUUID();
    const stranger = { id: person.id, authenticator: createAuthenticator() };
    for (let n = 1; n < ADDRESS_FAILURES; n += 1) await signIn(stranger, address);
    expect(await signIn(person, address)).toBe(person.id);
  });
});
