// Who can sign in.
import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { disconnect, prisma } from "@/server/db/client";
import { allCells } from "@/server/platform/cell";
import { addMember } from "../members/manage";
import { createMerchant } from "../merchants/create";
import { operatorContext } from "../merchants/operator";
import { DUMMY_HASH, signIn } from "./sign-in";

const PASSWORD = "correct horse battery";

async function newMember(email = `${randomUUID()}@staff.example`, password = PASSWORD) {
  const merchantId = await createMerchant("Signers", ["BRL"]);
  const id = await addMember(operatorContext(merchantId, "test"), { email, roles: ["finance"] }, password);
  return { id, merchantId, email };
}

/** Each attempt from an address of its own, so that failures of other tests do not count. */
const tryIn = (email: string, password: string) => signIn({ email, password, address: randomUUID() });

afterAll(disconnect);

describe("signing in", () => {
  it("gives the member with roles and merchant, whatever the case of the address", async () => {
    const { id, merchantId, email } = await newMember();
    const expected = {
      id,
      merchantId,
      email,
      name: null,
      merchantName: "Signers",
      roles: ["finance"],
      testRoles: null,
      accessVersion: 0,
      cell: allCells()[0],
    };
    expect(await tryIn(` ${email.toUpperCase()} `, PASSWORD)).toEqual(expected);
  });

  it("gives nobody for a wrong, an empty, an endless password and for an unknown address", async () => {
    const { email } = await newMember();
    for (const password of ["wrong horse battery", "", "x".repeat(100_000), `${PASSWORD} `]) {
      expect(await tryIn(email, password)).toBeNull();
    }
    expect(await tryIn(`${randomUUID()}@staff.example`, PASSWORD)).toBeNull();
    expect(await tryIn("\0", PASSWORD)).toBeNull();
  });

  it("gives nobody for a disabled member", async () => {
    const { id, merchantId, email } = await newMember();
    await prisma().member.update({ where: { merchantId_id: { merchantId, id } }, data: { disabledAt: new Date() } });
    expect(await tryIn(email, PASSWORD)).toBeNull();
  });

  it("tells the merchants of one address apart by the password", async () => {
    const first = await newMember();
    const second = await newMember(first.email, "another horse battery");
    expect(await tryIn(first.email, PASSWORD)).toMatchObject({ merchantId: first.merchantId });
    expect(await tryIn(first.email, "another horse battery")).toMatchObject({ merchantId: second.merchantId });
  });

  it("tries the password with one merchant only where it is named", async () => {
    const first = await newMember();
    const second = await newMember(first.email, "another horse battery");
    const at = { email: first.email, address: randomUUID(), merchantId: second.merchantId };
    expect(await signIn({ ...at, password: PASSWORD })).toBeNull();
    expect(await signIn({ ...at, password: "another horse battery" })).toMatchObject({ id: second.id });
  });

  it("hashes for an unknown address what it hashes for a member", async () => {
    const { id, merchantId } = await newMember();
    const { passwordHash } = await prisma().member.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id } } });
    const cost = (hash: string) => hash.split("$").slice(1, 4);
    expect(cost(DUMMY_HASH)).toEqual(cost(passwordHash ?? ""));
    expect(cost(DUMMY_HASH)).toEqual(["argon2id", "v=19", "m=19456,t=2,p=1"]);
  });
});
