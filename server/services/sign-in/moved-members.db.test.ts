// Members of a merchant that closes to move to another cell: their passkeys, passwords and browsers.
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { fence, unfence } from "@/server/db/testing/move-by-hand";
import { openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import { inCell, inEachCell } from "@/server/platform/cell";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant } from "@/server/testing/merchant";
import { addMember } from "../members/manage";
import { operatorContext } from "../merchants/operator";
import { rememberDevice } from "./known-device";
import { beginPasskeyProof, spendPasskey } from "./passkeys";
import { withinSession } from "./session-scope";
import { isPasswordOf } from "./sign-in";
import { addPasskey, type PasskeyHolder } from "./testing/passkey-holder";

const PASSWORD = "correct horse battery";

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
