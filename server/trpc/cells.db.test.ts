// Sessions of people in two cells, answered by one process: procedures, streams, exports and one-time links.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sealToken, sessionSecret } from "@/server/auth/session-token";
import { disconnect, query } from "@/server/db/client";
import { whileAway } from "@/server/db/testing/away";
import { openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import { declareFront } from "@/server/http/client-address";
import { type Cell, inCell, inEachCell, OutOfCell } from "@/server/platform/cell";
import { newId, tagOfId } from "@/server/platform/ids";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { inviteMember } from "@/server/services/members/manage";
import { choosePassword, showLink } from "@/server/services/members/one-time-links";
import { OPERATOR } from "@/server/services/merchants/operator";
import { createPaymentIntent } from "@/server/services/payments/create";
import { withinSession } from "@/server/services/sign-in/session-scope";
import { endSessions, findMemberSession, type MemberSession } from "@/server/services/sign-in/sessions";
import { enterAs } from "@/server/services/sign-in/testing/sessions";
import { alteredCopies } from "@/server/testing/altered-token";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { exportAnswer } from "./export/answer";
import { handleTrpcRequest } from "./handler";
import { appRouter, createCaller } from "./router";

interface Person {
  readonly cell: Cell;
  readonly merchant: TestMerchant;
  readonly memberId: string;
  readonly sessionId: string;
}

let cells: TwoCells;
let ours: Person;
let theirs: Person;

async function makePerson(cell: Cell): Promise<Person> {
  return inCell(cell, async () => {
    const merchant = await makeMerchant();
    const memberId = merchant.byMember().actor.id;
    const sessionId = await enterAs({ id: memberId, merchantId: merchant.merchantId }, "192.0.2.1");
    return { cell, merchant, memberId, sessionId };
  });
}

beforeAll(async () => {
  declareFront();
  cells = await openTwoCells();
  ours = await makePerson(cells.first);
  theirs = await makePerson(cells.second);
});

afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

async function headersOf(person: Person, changes: { merchantId?: string; sid?: string } = {}) {
  const { merchantId } = person.merchant;
  const token = { sub: person.memberId, merchantId, sid: person.sessionId, ...changes };
  const cookie = `sluice.session=${await sealToken({ token, secret: sessionSecret() })}`;
  return { cookie, "x-forwarded-for": "192.0.2.1" };
}

async function call(headers: Record<string, string>, path: string, input?: object) {
  const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const answer = await handleTrpcRequest(new Request(`http://localhost/api/trpc/${path}${query}`, { headers }));
  return { status: answer.status, text: (await answer.text()).replaceAll(/req_\w+/g, "req") };
}

async function pay({ cell, merchant }: Person) {
  const create = () => createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  return (await inCell(cell, create)).intent;
}

function sessionOf({ merchant: { merchantId }, sessionId }: Person): Promise<MemberSession> {
  const found = findMemberSession({ merchantId, sessionId }, { isBackground: true });
  return found.then((session) => session ?? Promise.reject(new Error("the session has ended")));
}

const context = (session: MemberSession) => ({
  session,
  requestId: newId("request"),
  address: null,
  language: () => Promise.resolve("en" as const),
});

describe("a session", () => {
  it("carries its cell, and each request runs there", async () => {
    expect([ours, theirs].map(({ sessionId }) => tagOfId(sessionId))).toEqual(["", "e2"]);
    const [mine, other] = await Promise.all([pay(ours), pay(theirs)]);
    const input = { environment: "test" };
    const lists = await Promise.all(
      [ours, theirs, ours, theirs].map(async (one) => call(await headersOf(one), "paymentIntents.list", input)),
    );
    for (const [n, { status, text }] of lists.entries()) {
      const [own, foreign] = n % 2 === 0 ? [mine, other] : [other, mine];
      expect([status, text.includes(own.id), text.includes(foreign.id)]).toEqual([200, true, false]);
    }
  });

  it("of another cell, of a forged tag or of nobody gets the answer of one that has ended", async () => {
    const ended = await inCell(ours.cell, () =>
      enterAs({ id: ours.memberId, merchantId: ours.merchant.merchantId }, "192.0.2.1"),
    );
    await endSessions({ ...(await sessionOf(ours)), sessionId: ended }, "this", { requestId: null, address: null });
    const expected = await call(await headersOf(ours, { sid: ended }), "session.me");
    expect(expected.status).toBe(401);
    const [own, foreign] = [ours.sessionId, theirs.sessionId];
    const forged: [Person, { merchantId?: string; sid: string }][] = [
      [ours, { sid: foreign }],
      [theirs, { sid: own }],
      [theirs, { sid: foreign, merchantId: ours.merchant.merchantId }],
      [ours, { sid: own, merchantId: theirs.merchant.merchantId }],
      [theirs, { sid: foreign.replace(/(?<=[gh])e2/, "zz") }],
      [theirs, { sid: foreign.replace(/(?<=[gh])e2/, "E2") }],
      [theirs, { sid: foreign.replace(/[gh]e2/, "e00") }],
      [ours, { sid: own.replace(/(?<=^ses_.{10}).../, "ge2") }],
      [ours, { sid: "ses_1" }],
    ];
    for (const [person, changes] of forged)
      expect([changes, await call(await headersOf(person, changes), "session.me")]).toEqual([changes, expected]);
    const tampered = await headersOf(theirs);
    const [name = "", token = ""] = tampered.cookie.split("=");
    for (const altered of alteredCopies(token))
      expect(await call({ ...tampered, cookie: `${name}=${altered}` }, "session.me")).toEqual(expected);
    expect((await call(await headersOf(theirs), "session.me")).status).toBe(200);
  });

  it("runs every procedure in its cell", async () => {
    const before = await inCell(cells.first, () => query("SELECT count(*) FROM audit_entry"));
    const reached: string[] = [];
    const lost: string[] = [];
    for (const path of Object.keys(appRouter._def.procedures)) {
      if (path === "session.signOutEverywhere" || path === "changes.stream") continue;
      const caller = createCaller(context(await sessionOf(theirs)));
      const [area = "", name = ""] = path.split(".");
      const procedures = caller[area as keyof typeof caller] as unknown as Record<string, (input: object) => unknown>;
      try {
        await procedures[name]?.({ environment: "test" });
        reached.push(path);
      } catch (error) {
        for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
          if (cause instanceof OutOfCell) lost.push(path);
      }
    }
    expect(lost).toEqual([]);
    expect(reached.length).toBeGreaterThan(20);
    // Nothing of them was written elsewhere.
    expect(await inCell(cells.first, () => query("SELECT count(*) FROM audit_entry"))).toEqual(before);
  });

  it("a stream shows changes of the session's cell only", async () => {
    const [session, elsewhere] = [await sessionOf(theirs), await sessionOf(ours)];
    const listening = new AbortController();
    const stream = async (one: MemberSession) => {
      const caller = createCaller(context(one), { signal: listening.signal });
      return (await caller.changes.stream({ environment: "test" }))[Symbol.asyncIterator]();
    };
    const [changes, others] = [await stream(session), await stream(elsewhere)];
    for (const each of [changes, others]) expect(await each.next()).toMatchObject({ value: "changed" });
    const next = changes.next();
    await pay(theirs);
    expect(await next).toMatchObject({ value: "changed" });
    listening.abort();
    expect(await others.next()).toMatchObject({ done: true });
  });

  it("exports from its cell", async () => {
    const [mine, other] = [await pay(ours), await pay(theirs)];
    const headers = await headersOf(theirs);
    const answer = await exportAnswer(
      new Request("http://localhost/api/export/test/payments", { headers }),
      "test",
      "payments",
    );
    const file = await answer.text();
    expect([answer.status, file.includes(other.id), file.includes(mine.id)]).toEqual([200, true, false]);
    const ends = "SELECT DISTINCT merchant_id FROM audit_entry WHERE action LIKE '%export%'";
    expect(await inCell(theirs.cell, () => query(ends))).toEqual([{ merchant_id: theirs.merchant.merchantId }]);
    expect(await inCell(ours.cell, () => query(ends))).toEqual([]);
  });
});

describe("a one-time link", () => {
  const invite = ({ cell, merchant }: Person, email: string) =>
    inCell(cell, async () => {
      const operator = { ...merchant.context, actor: OPERATOR };
      const { id, link } = await inviteMember(operator, { email, roles: ["finance"] });
      return { id, token: link.split("#")[1] ?? "" };
    });
  const gone = { code: "not_found" };

  it("carries its cell, and chooses the password of the member there", async () => {
    const email = `both@${newId("request")}.example`;
    const [here, there] = await Promise.all([invite(ours, email), invite(theirs, email)]);
    expect(here.token).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(there.token).toMatch(/^e2_[0-9A-Za-z]{43}$/);
    expect(await showLink(there.token)).toMatchObject({ memberId: there.id, merchantId: theirs.merchant.merchantId });
    expect(await showLink(here.token)).toMatchObject({ memberId: here.id, merchantId: ours.merchant.merchantId });
    const forged = [there.token.slice(3), `zz_${there.token.slice(3)}`, `e2_${here.token}`, `_${here.token}`, ""];
    for (const token of forged) await expect(showLink(token)).rejects.toMatchObject(gone);
    const call = { requestId: null, address: "192.0.2.1" };
    await choosePassword(there.token, "a phrase of nobody", call);
    await expect(choosePassword(there.token, "a phrase of nobody", call)).rejects.toMatchObject(gone);
    expect(await showLink(here.token)).toMatchObject({ memberId: here.id });
    const chosen = "SELECT id FROM member WHERE email = $1 AND password_hash IS NOT NULL";
    expect(await inCell(theirs.cell, () => query(chosen, email))).toEqual([{ id: there.id }]);
    expect(await inCell(ours.cell, () => query(chosen, email))).toEqual([]);
  });
});

describe("a cell that is away", () => {
  it.each(["first", "second"] as const)("fails requests of its own people only: the %s", async (which) => {
    const [lost, served] = which === "first" ? [ours, theirs] : [theirs, ours];
    await whileAway(cells, which, async () => {
      const input = { environment: "test" };
      const failed = await call(await headersOf(lost), "paymentIntents.list", input);
      expect([failed.status, failed.text]).toEqual([503, expect.stringContaining("temporarily unavailable")]);
      expect((await call(await headersOf(served), "paymentIntents.list", input)).status).toBe(200);
      const session = await sessionOf(served);
      await withinSession(session, () => query("SELECT 1"));
    });
    expect((await call(await headersOf(lost), "session.me")).status).toBe(200);
  });
});
