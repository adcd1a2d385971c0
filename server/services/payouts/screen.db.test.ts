// Screening against a screener that allows, holds, refuses, keeps silent, lies and changes its mind.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { announceAttempt } from "@/server/db/attempts";
import { query } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import { storeScreening } from "@/server/db/screenings";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { Role } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { type Env, env } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { isSigned } from "@/server/psp/http/signature";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { requireInvariants } from "@/server/testing/invariants";
import {
  approvedPayout,
  balanceOf,
  makeLiveMerchant,
  makeMerchant,
  OPENING,
  payout,
  type TestMerchant,
} from "@/server/testing/merchant";
import { installScriptedProviders } from "@/server/testing/scripted-provider";
import { createApiKey } from "../api-keys/create";
import { withoutIdempotency } from "../idempotency/completion";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { addMember, disableMember } from "../members/manage";
import { operatorContext } from "../merchants/operator";
import { suspendMerchant } from "../suspension/suspend";
import { approvePayoutIntent } from "./approve";
import { createPayoutIntent } from "./create";
import { decideOnHold } from "./decide-hold";
import { PAYOUTS } from "./kind";

vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const SECRET = "a secret of at least 32 characters";
const DENIED = { code: "approval_required" };
const shared = globalThis as typeof globalThis & { sluiceEnv?: Env };

let screener: LocalServer;
let merchant: TestMerchant;
let intent: PayoutIntent;
beforeAll(async () => {
  screener = await startLocalServer();
});
afterAll(() => screener.stop());
beforeEach(async () => {
  shared.sluiceEnv = { ...env(), providerDeadlineMs: 200, screener: { url: screener.url, secret: SECRET } };
  screener.received.length = 0;
  merchant = await makeMerchant();
  intent = await approvedPayout(merchant);
});
afterEach(async () => {
  vi.useRealTimers();
  await requireInvariants();
});

const answer = (verdict: string, more: object = {}) => json(200, { payout_id: intent.id, verdict, ...more });
const latest = () => getIntent(PAYOUTS, merchant.scope, intent.id);
const attempts = () => query("SELECT FROM provider_attempt WHERE intent_id = $1", intent.id);
const kinds = async () =>
  (await query<{ kind: string }>("SELECT kind FROM exception WHERE object_id = $1", intent.id)).map(({ kind }) => kind);

async function look(): Promise<PayoutIntent> {
  await followUp(PAYOUTS, await latest(), now);
  return latest();
}

/** A member whom the operator adds. */
async function join(...roles: Role[]): Promise<CallContext> {
  const email = `${crypto.randomUUID()}@shop.example`;
  const id = await addMember(operatorContext(merchant.merchantId, "test"), { email, roles }, "correct horse battery");
  return { ...merchant.context, actor: { type: "member", id } };
}

describe("an allowed payout", () => {
  it("is sent, after a signed question with what the screener needs", async () => {
    screener.respond = answer("allow", { reference: "case-1" });
    await look();
    expect(await attempts()).toHaveLength(1);
    const [asked] = screener.received;
    if (!asked) throw new Error("the screener was not asked");
    expect(isSigned(SECRET, asked, asked.headers, new Date())).toBe(true);
    expect([asked.path, asked.headers.get("idempotency-key")]).toEqual(["/v1/screenings", intent.id]);
    expect(JSON.parse(asked.body)).toMatchObject({
      payout_id: intent.id,
      merchant_id: merchant.merchantId,
      amount: intent.amount.toString(),
      currency: intent.currency,
      recipient: { holder_name: intent.recipient.holderName, account_number: "0001-123456789" },
    });
  });

  it("is sent once by eight workers, on one verdict", async () => {
    let count = 0;
    screener.respond = (received, response) => answer((count += 1) % 2 === 0 ? "allow" : "hold")(received, response);
    await Promise.all(Array.from({ length: 8 }, () => followUp(PAYOUTS, intent, now)));
    const [stored] = await query<{ verdict: string }>(
      "SELECT verdict FROM payout_screening WHERE payout_id = $1",
      intent.id,
    );
    expect(await attempts()).toHaveLength(stored?.verdict === "allow" ? 1 : 0);
  });
});

describe("without a verdict nothing is sent", () => {
  it.each([
    ["a fault", json(500, {})],
    ["no verdict", (received, response) => json(200, { payout_id: intent.id })(received, response)],
    ["an unknown verdict", (received, response) => answer("perhaps")(received, response)],
    ["a verdict on another payout", json(200, { payout_id: newId("payoutIntent"), verdict: "allow" })],
    ["a redirect", (_, response) => void response.writeHead(302, { location: "/v1/allow" }).end()],
    ["text", (_, response) => void response.writeHead(200, { "content-type": "text/plain" }).end("allow")],
    ["silence", () => undefined],
    [
      "a reason that is too long",
      (received, response) => answer("allow", { reason: "r".repeat(513) })(received, response),
    ],
  ] as [string, LocalServer["respond"]][])("%s", async (_, respond) => {
    screener.respond = respond;
    expect((await look()).status).toBe("processing");
    expect(await attempts()).toEqual([]);
    expect(await kinds()).toEqual([]);
    screener.respond = answer("allow");
    await look();
    expect(await attempts()).toHaveLength(1);
  });

  it("and after a quarter of an hour a person is told", async () => {
    screener.respond = json(503, {});
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 15 * 60_000 });
    await look();
    await look();
    expect(await kinds()).toEqual(["stuck"]);
  });
});

describe("a refused payout", () => {
  it("is cancelled, its funds come back, and the reason stays here", async () => {
    screener.respond = answer("refuse", { reason: "A sanctioned person." });
    const refused = await look();
    expect(refused).toMatchObject({ status: "cancelled", dueAt: null });
    expect(refused.failure).toEqual({ code: "cancelled", message: "Refused before it was sent." });
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    expect(await attempts()).toEqual([]);
  });

  it("stays refused if the process dies before it is cancelled and the screener changes its mind", async () => {
    await storeScreening(intent, { verdict: "refuse", reason: null, reference: null }, now());
    screener.respond = answer("allow");
    expect((await look()).status).toBe("cancelled");
    expect(screener.received).toEqual([]);
  });

  it("is not cancelled if a provider has reported it before it was sent", async () => {
    const { id: objectId, merchantId, environment } = intent;
    const fact = `contradiction:${objectId}:settled 250.00`;
    const scope = { merchantId, environment };
    await openException(
      { kind: "contradiction", objectId, fact, detail: { why: "reported at the gate" }, scope },
      now(),
    );
    screener.respond = answer("refuse");
    expect((await look()).status).toBe("processing");
    expect(await attempts()).toEqual([]);
  });

  it("is not cancelled once a provider may have it", async () => {
    await announceAttempt(intent, "payout_intent", { id: newId("attempt"), ordinal: 1 }, now());
    screener.respond = answer("refuse");
    expect((await look()).status).not.toBe("cancelled");
    expect(screener.received).toEqual([]);
  });
});

describe("a held payout", () => {
  let maker: CallContext;
  let approvers: CallContext[];
  beforeEach(async () => {
    maker = await join("admin");
    approvers = [await join("approver"), await join("owner")];
    const key = await createApiKey(maker, "Mine");
    const byKey: CallContext = { ...merchant.context, actor: { type: "api_key", id: key.id } };
    const created = await createPayoutIntent(byKey, payout(), withoutIdempotency());
    intent = await approvePayoutIntent(approvers[0] as CallContext, { id: created.intent.id });
    screener.respond = answer("hold", { reason: "A similar name is on a list.", reference: "case-7" });
    await look();
  });

  const decide = (call: CallContext | undefined, decision: "release" | "refuse") =>
    decideOnHold(call as CallContext, { id: intent.id, decision });

  it("waits with one exception, even if screening is switched off or the screener changes its mind", async () => {
    screener.respond = answer("allow");
    await look();
    shared.sluiceEnv = { ...env(), screener: null };
    expect((await look()).status).toBe("processing");
    expect(await attempts()).toEqual([]);
    expect(await kinds()).toEqual(["screening_hold"]);
  });

  it("cannot be announced by a worker that does not know of the hold", async () => {
    const current = await latest();
    const attempt = { id: newId("attempt"), ordinal: 1 };
    expect(await announceAttempt(current, "payout_intent", attempt, now())).toBe(false);
    await decide(approvers[1], "release");
    expect(await announceAttempt(current, "payout_intent", attempt, now())).toBe(true);
  });

  it("is sent after another person has released it, who is the only one to decide", async () => {
    const both = await Promise.allSettled(approvers.map((call) => decide(call, "release")));
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(decide(approvers[0], "refuse")).rejects.toMatchObject(DENIED);
    expect(await query("SELECT FROM exception WHERE object_id = $1 AND resolved_at IS NULL", intent.id)).toEqual([]);
    await look();
    expect(await attempts()).toHaveLength(1);
  });

  it("is cancelled after a person has refused it, who may have made it", async () => {
    await decide(maker, "refuse");
    const before = await balanceOf(merchant);
    expect((await look()).status).toBe("cancelled");
    const [available, held] = await balanceOf(merchant);
    expect([available - before[0], held - before[1]]).toEqual([intent.amount, -intent.amount]);
  });

  it("is not released by who made it through a key, nor by somebody with newer authority", async () => {
    await expect(decide(maker, "release")).rejects.toMatchObject(DENIED);
    await expect(decide(await join("owner"), "release")).rejects.toMatchObject(DENIED);
    const left = await join("approver");
    await disableMember(operatorContext(merchant.merchantId, "test"), left.actor.id);
    for (const { actor } of [maker, await join("finance"), await join("owner"), left]) {
      const bare = query(
        "UPDATE payout_screening SET decision = 'release', decided_by_id = $2, decided_at = now() WHERE payout_id = $1",
        intent.id,
        actor.id,
      );
      await expect(bare).rejects.toThrow("release_by_another_person");
    }
    expect((await look()).status).toBe("processing");
    expect(await attempts()).toEqual([]);
  });

  it("is decided on neither by a key nor by somebody without the role", async () => {
    for (const call of [await join("finance"), merchant.context])
      await expect(decide(call, "refuse")).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("what else could send a payout that screening stops", () => {
  it.each(["hold", "refuse"] as const)(
    "a worker that knows of no %s does not send it to the next provider",
    async (verdict) => {
      const { a, b } = installScriptedProviders("a", "b");
      const { context, scope } = await makeLiveMerchant();
      const { intent: live } = await createPayoutIntent(context, payout(), withoutIdempotency());
      a.answer = { kind: "not_sent", detail: "refused" };
      a.duringSend = async () => {
        await storeScreening(live, { verdict, reason: null, reference: null }, now());
      };
      screener.respond = json(500, {});
      shared.sluiceEnv = { ...env(), screener: null };
      await followUp(PAYOUTS, await getIntent(PAYOUTS, scope, live.id), now);
      expect([a.sent.length, b.sent.length]).toEqual([1, 0]);
    },
  );

  it("nobody releases it while the merchant is suspended; it can be refused", async () => {
    screener.respond = answer("hold");
    await look();
    const [member, release] = [merchant.byMember(), { id: intent.id, decision: "release" } as const];
    await suspendMerchant(merchant.merchantId, "fraud");
    await expect(decideOnHold(member, release)).rejects.toMatchObject({ code: "merchant_suspended" });
    await expect(
      query(
        "UPDATE payout_screening SET decision = 'release', decided_by_id = $2, decided_at = now() WHERE payout_id = $1",
        intent.id,
        member.actor.id,
      ),
    ).rejects.toThrow(/merchant_is_active/);
    await decideOnHold(member, { id: intent.id, decision: "refuse" });
  });

  it.each(["refuse", "hold"] as const)("a reason that cannot be stored loses no %s", async (verdict) => {
    screener.respond = answer(verdict, { reason: "a\u0000b\ud800" });
    await look();
    expect(await query("SELECT verdict, reason FROM payout_screening WHERE payout_id = $1", intent.id)).toEqual([
      { verdict, reason: "ab\ufffd" },
    ]);
  });
});
