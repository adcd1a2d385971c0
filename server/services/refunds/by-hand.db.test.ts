// Two people end a refund by hand whose provider gives no clear answer; its money moves once, as they found.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asMember, asOperator } from "@/server/cli/acting-as";
import { announceRefund, listAttempts } from "@/server/db/attempts";
import { query } from "@/server/db/client";
import { findException, listExceptionsOf } from "@/server/db/exceptions";
import type { StoredResolution } from "@/server/db/manual-resolutions";
import { findRefund, type StoredRefund } from "@/server/db/suspense-refunds";
import type { PaymentOutcome, RefundOutcome } from "@/server/domain/outcome";
import type { CallContext } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { tamper } from "@/server/testing/owner";
import { letProviderRefund, type RefundingProvider } from "@/server/testing/refunding-provider";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { applyUpdate } from "../callbacks/apply-update";
import { settleException } from "../exceptions/settle";
import { resolveEndedStuck } from "../exceptions/stuck";
import { withoutIdempotency } from "../idempotency/completion";
import { findAnyIntent } from "../intent-kinds";
import { namedOperator } from "../merchants/operator";
import { createPaymentIntent } from "../payments/create";
import { confirmResolution } from "../resolutions/confirm";
import type { FindingInput } from "../resolutions/finding";
import { supersedeOvertaken } from "../resolutions/overtaken";
import { proposeResolution } from "../resolutions/propose";
import { rejectResolution } from "../resolutions/reject";
import { confirmRefund } from "./decide";
import { followUpRefund, pollRefund } from "./follow-up";
import { proposeRefund } from "./propose";

const HOUR_MS = 60 * 60 * 1000;
const AMOUNT = 1050n;
const LETTER = "Letter of the provider of 2026-11-24, their reference 4711.";
const FAILED = { outcome: "failed", amount: null, providerReference: null, evidence: LETTER } as const;
const SETTLED = { ...FAILED, outcome: "settled" } as const;
const REFUSAL = { code: "validation_failed" };
const BACK = { suspense: "0", provider_clearing: "0" };
const KEPT = { suspense: "1050", provider_clearing: "-1050" };

let merchant: TestMerchant;
let provider: RefundingProvider;
let script: ReturnType<typeof installScriptedProvider>;
let opening: bigint;
beforeEach(async () => {
  script = installScriptedProvider();
  provider = letProviderRefund();
  merchant = await makeLiveMerchant();
  [opening] = await balanceOf(merchant);
});
afterEach(async () => {
  await requireInvariants();
});

/** Late money of a payment; returns its exception. */
async function lateMoney(): Promise<string> {
  const providerReference = newId("event");
  script.answer = { kind: "pending", providerReference };
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  const sum = { amount: AMOUNT, currency: "BRL", receiptId: null, providerReference };
  const reports: PaymentOutcome[] = [
    { kind: "expired", providerReference },
    { kind: "succeeded", ...sum },
  ];
  for (const report of reports) {
    const subject = await findAnyIntent(merchant.merchantId, intent.id);
    if (subject) await applyUpdate(merchant.context, subject, [report]);
  }
  const [exception] = await listExceptionsOf(merchant.scope, { objectId: intent.id }, null, 1);
  return exception?.id ?? "";
}

async function confirmed(exceptionId?: string): Promise<StoredRefund> {
  const id = exceptionId ?? (await lateMoney());
  return confirmRefund(merchant.byMember(), (await proposeRefund(merchant.byMember(), id, "Paid late.")).id);
}

const fresh = async ({ id }: StoredRefund) => (await findRefund(merchant.scope, id)) as StoredRefund;
const stateOf = async (refund: StoredRefund) => (await fresh(refund)).state;

/** Sends or polls as the worker does, `hours` from now. */
async function round(refund: StoredRefund, hours = 0): Promise<void> {
  await followUpRefund(await fresh(refund), () => new Date(now().getTime() + hours * HOUR_MS));
}

/** A refund whose one call an hour ago was lost, and which its provider does not speak about. */
async function silent(): Promise<StoredRefund> {
  provider.next = ["loses"];
  const refund = await confirmed();
  await round(refund, -1);
  report(refund, { kind: "unknown", detail: "no answer" });
  await round(refund, -0.9);
  expect(await stateOf(refund)).toBe("confirmed");
  return refund;
}

/** What the provider reports from now on. */
function report({ reference }: StoredRefund, ...outcomes: RefundOutcome[]): void {
  provider.reports.set(reference, outcomes);
}
const SETTLED_REPORT = { kind: "settled", amount: AMOUNT, currency: "BRL", providerReference: null } as const;

const propose = async (
  refund: StoredRefund,
  finding: FindingInput,
  person: CallContext | Promise<CallContext> = asOperator(merchant.scope, "Maria Lopez"),
) => proposeResolution(await person, refund.id, finding);

const confirmBy = ({ id }: StoredResolution, name = "Jan Novak") => confirmResolution(id, namedOperator(name));
const resolve = async (refund: StoredRefund, finding: FindingInput) => confirmBy(await propose(refund, finding));

const exceptionsAbout = async ({ id }: StoredRefund) =>
  (await listExceptionsOf(merchant.scope, { objectId: id, state: "open" }, null, 10)).map(({ kind }) => kind);

async function balances(): Promise<Record<string, string>> {
  const rows = await query<{ kind: string; balance: string }>(
    `SELECT split_part(kind, ':', 1) AS kind, balance::text FROM ledger_account
     WHERE merchant_id = $1 AND environment = 'live' AND kind IN ('suspense', 'provider_clearing:scripted')`,
    merchant.merchantId,
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

const membersEmail = (id: string) => `${id}@shop.example`;

describe("settled by hand", () => {
  it("its money leaves suspense once and its exception is resolved, with the evidence in the audit log", async () => {
    const refund = await silent();
    const proposed = await propose(refund, SETTLED);
    expect(proposed).toMatchObject({ intentId: refund.id, amount: AMOUNT, currency: "BRL", intentRevision: 1 });
    expect([await stateOf(refund), await balances()]).toEqual(["confirmed", KEPT]);
    expect(await confirmBy(proposed)).toMatchObject({ state: "confirmed", decidedBy: { id: "jan novak" } });
    expect([await stateOf(refund), await balances()]).toEqual(["settled", BACK]);
    expect(await balanceOf(merchant)).toEqual([opening, 0n]);
    expect(await findException(merchant.scope, refund.exceptionId)).toMatchObject({
      settledAs: "refund",
      resolvedBy: { type: "operator", id: "jan novak" },
    });
    const audit = await query(
      "SELECT actor_type, actor_id, reason FROM audit_entry WHERE object_id = $1 AND action = 'suspense_refund.resolved_settled'",
      refund.id,
    );
    expect(audit).toEqual([{ actor_type: "operator", actor_id: "jan novak", reason: LETTER }]);
    await expect(proposeRefund(merchant.byMember(), refund.exceptionId, "Again.")).rejects.toMatchObject(REFUSAL);
    await expect(settleException(merchant.byMember(), refund.exceptionId, "credit", "Mine.")).rejects.toMatchObject(
      REFUSAL,
    );
  });

  it("a later report of the settlement changes nothing; a refusal is for a person; a return comes back into suspense", async () => {
    const refund = await silent();
    await resolve(refund, SETTLED);
    const hear = async (...outcomes: RefundOutcome[]) => {
      report(refund, ...outcomes);
      await pollRefund(await fresh(refund), now);
      return [await stateOf(refund), await exceptionsAbout(refund), await balances()];
    };
    expect(await hear(SETTLED_REPORT)).toEqual(["settled", [], BACK]);
    const declined = { kind: "declined", message: null, providerReference: null } as const;
    expect(await hear(declined)).toEqual(["settled", ["contradiction"], BACK]);
    const returned = { ...SETTLED_REPORT, kind: "returned" } as const;
    expect(await hear(SETTLED_REPORT, returned)).toEqual(["returned", ["contradiction"], KEPT]);
  });
});

describe("failed by hand", () => {
  it("its money stays in suspense, and the next refund of it has another reference", async () => {
    const refund = await silent();
    await resolve(refund, FAILED);
    expect([await stateOf(refund), await balances()]).toEqual(["failed", KEPT]);
    expect(await findException(merchant.scope, refund.exceptionId)).toMatchObject({ resolvedAt: null });
    const next = await confirmed(refund.exceptionId);
    expect(next.reference).not.toBe(refund.reference);
    await round(next);
    expect([await stateOf(next), await balances()]).toEqual(["settled", BACK]);
  });

  it("or people decide otherwise about its money", async () => {
    const refund = await silent();
    await resolve(refund, FAILED);
    await settleException(merchant.byMember(), refund.exceptionId, "credit", "It is theirs.");
    expect(await balanceOf(merchant)).toEqual([opening + AMOUNT, 0n]);
  });

  it.each<[string, RefundOutcome]>([
    ["settled", SETTLED_REPORT],
    ["on its way", { kind: "pending", providerReference: null }],
  ])(
    "before the next refund is sent, the provider is asked once more; one that is %s stops it",
    async (_what, news) => {
      const refund = await silent();
      await resolve(refund, FAILED);
      report(refund, news);
      const next = await confirmed(refund.exceptionId);
      const { length } = provider.requests;
      await round(next);
      expect([provider.requests.length, await stateOf(next)]).toEqual([length, "confirmed"]);
      expect([await exceptionsAbout(refund), await balances()]).toEqual([["contradiction"], KEPT]);
    },
  );
});

describe("two people", () => {
  it("who proposed the end cannot confirm it, nor can the one who proposed the refund do either", async () => {
    const refund = await silent();
    const forbidden = { code: "approval_required" };
    const maker = { ...merchant.byMember(), actor: { type: "member", id: refund.proposedBy } } as const;
    await expect(propose(refund, FAILED, maker)).rejects.toMatchObject(forbidden);
    const address = membersEmail(refund.proposedBy);
    await expect(propose(refund, FAILED, asMember(merchant.scope, address))).rejects.toMatchObject(forbidden);
    const proposed = await propose(refund, FAILED);
    for (const name of ["Maria Lopez", " MARIA  lopez", address, address.toUpperCase()]) {
      await expect(confirmBy(proposed, name)).rejects.toMatchObject(forbidden);
    }
    expect([await stateOf(refund), await balances()]).toEqual(["confirmed", KEPT]);
  });

  it("a member proposes it, and an operator under another name confirms", async () => {
    const refund = await silent();
    const member = merchant.byMember();
    const person = member.actor.id === refund.proposedBy ? merchant.byMember() : member;
    const proposed = await propose(refund, FAILED, person);
    await expect(confirmBy(proposed, membersEmail(person.actor.id))).rejects.toMatchObject({
      code: "approval_required",
    });
    await confirmBy(proposed);
    expect(await stateOf(refund)).toBe("failed");
  });

  it("neither an API key nor a stranger proposes or rejects one", async () => {
    const refund = await silent();
    await expect(propose(refund, FAILED, merchant.context)).rejects.toMatchObject({ code: "forbidden" });
    const stranger = (await makeLiveMerchant()).byMember();
    await expect(propose(refund, FAILED, stranger)).rejects.toMatchObject({ code: "not_found" });
    const test: CallContext = { ...merchant.byMember(), scope: { ...merchant.scope, environment: "test" } };
    await expect(propose(refund, FAILED, test)).rejects.toMatchObject({ code: "not_found" });
    const { id } = await propose(refund, FAILED);
    await expect(rejectResolution(stranger, id)).rejects.toMatchObject({ code: "not_found" });
    expect(await rejectResolution(merchant.byMember(), id)).toMatchObject({ state: "rejected" });
  });

  it("the database refuses an end by hand without its resolution, of the maker, or with another outcome", async () => {
    const refund = await silent();
    const audit = (outcome: string, revision = 1) =>
      query(
        `INSERT INTO audit_entry (merchant_id, id, environment, actor_type, actor_id, action, object_id, before, created_at)
         VALUES ($1, $2, 'live', 'operator', 'jan novak', $3, $4, $5::jsonb, now())`,
        merchant.merchantId,
        newId("audit"),
        `suspense_refund.resolved_${outcome}`,
        refund.id,
        JSON.stringify({ revision }),
      );
    await expect(audit("settled")).rejects.toThrow("manual_end_is_confirmed");
    await resolve(refund, FAILED);
    await expect(audit("settled")).rejects.toThrow("manual_end_is_confirmed");
    await expect(audit("failed", 2)).rejects.toThrow("manual_end_is_confirmed");
    await tamper("suspense_refund", "UPDATE suspense_refund SET proposed_by_id = $2 WHERE id = $1", refund.id, "mem_1");
    await query(
      `INSERT INTO member (merchant_id, id, email, password_hash, roles)
       VALUES ($1, 'mem_1', 'Jan Novak', 'none', ARRAY['owner'])`,
      merchant.merchantId,
    );
    await expect(audit("failed")).rejects.toThrow("manual_refund_end_is_of_others");
    await tamper(
      "suspense_refund",
      "UPDATE suspense_refund SET proposed_by_id = $2 WHERE id = $1",
      refund.id,
      refund.proposedBy,
    );
  });
});

describe("evidence", () => {
  it("of less or more than the whole is refused; so is a refund that is not confirmed", async () => {
    const refund = await silent();
    await expect(propose(refund, { ...SETTLED, amount: "1049" })).rejects.toMatchObject(REFUSAL);
    await expect(propose(refund, { ...FAILED, amount: "1050" })).rejects.toMatchObject(REFUSAL);
    await expect(propose(refund, { ...SETTLED, evidence: " " })).rejects.toMatchObject(REFUSAL);
    await expect(propose(refund, { ...SETTLED, outcome: "succeeded" })).rejects.toMatchObject(REFUSAL);
    const open = await proposeRefund(merchant.byMember(), await lateMoney(), "Paid late.");
    await expect(propose(open, FAILED)).rejects.toMatchObject(REFUSAL);
    await resolve(refund, SETTLED);
    await expect(propose(refund, FAILED)).rejects.toMatchObject(REFUSAL);
  });

  it.each([SETTLED, FAILED])(
    "says nothing of a call in flight: it is not $outcome within ten minutes",
    async (finding) => {
      provider.next = ["loses"];
      const refund = await confirmed();
      await round(refund);
      report(refund, { kind: "unknown", detail: "no answer" });
      const proposed = await propose(refund, finding);
      await expect(confirmBy(proposed)).rejects.toMatchObject({
        message: expect.stringContaining("wait and retry") as string,
      });
      expect([await stateOf(refund), await balances()]).toEqual(["confirmed", KEPT]);
      await tamper(
        "provider_attempt",
        "UPDATE provider_attempt SET started_at = started_at - interval '11 minutes' WHERE intent_id = $1",
        refund.id,
      );
      expect(await confirmBy(proposed)).toMatchObject({ state: "confirmed" });
    },
  );

  it("of a refund whose provider reported another sum ends it", async () => {
    provider.next = ["short"];
    const refund = await confirmed();
    await round(refund, -1);
    expect([await stateOf(refund), await exceptionsAbout(refund)]).toEqual(["confirmed", ["contradiction"]]);
    const proposed = await propose(refund, SETTLED).catch((error: unknown) => error);
    await confirmBy(proposed as StoredResolution);
    expect([await stateOf(refund), await balances()]).toEqual(["settled", BACK]);
  });

  it("is outdated by a further call, and by what the provider reports since", async () => {
    const refund = await silent();
    const proposed = await propose(refund, FAILED);
    const attempt = { id: newId("attempt"), ordinal: 2 };
    expect(await announceRefund(refund, attempt, now())).toBe(true);
    await expect(confirmBy(proposed)).rejects.toMatchObject(REFUSAL);
    await tamper(
      "provider_attempt",
      "UPDATE provider_attempt SET started_at = now() - interval '1 hour' WHERE id = $1",
      attempt.id,
    );
    const second = await propose(refund, FAILED);
    report(refund, { kind: "pending", providerReference: newId("event") });
    await round(refund);
    await expect(confirmBy(second)).rejects.toMatchObject({ message: expect.stringContaining("since") as string });
    const states = await query("SELECT state FROM manual_resolution WHERE intent_id = $1", refund.id);
    expect(states).toEqual([{ state: "superseded" }, { state: "superseded" }]);
    expect([await stateOf(refund), await balances()]).toEqual(["confirmed", KEPT]);
  });

  it("about a refund that the provider has decided meanwhile is superseded", async () => {
    const [one, other] = [await silent(), await silent()];
    const proposals = [await propose(one, FAILED), await propose(other, FAILED)];
    for (const refund of [one, other]) {
      report(refund, SETTLED_REPORT);
      await round(refund);
    }
    await expect(confirmBy(proposals[0] as StoredResolution)).rejects.toMatchObject(REFUSAL);
    await supersedeOvertaken();
    for (const proposed of proposals) {
      expect(await query("SELECT state FROM manual_resolution WHERE id = $1", proposed.id)).toEqual([
        { state: "superseded" },
      ]);
    }
    expect([await stateOf(one), await stateOf(other)]).toEqual(["settled", "settled"]);
  });

  it("that was edited in the database cannot be confirmed", async () => {
    const refund = await silent();
    const proposed = await propose(refund, FAILED);
    await tamper("manual_resolution", "UPDATE manual_resolution SET evidence = 'x' WHERE id = $1", proposed.id);
    await expect(confirmBy(proposed)).rejects.toMatchObject({
      message: expect.stringContaining("differs from what was proposed") as string,
    });
  });
});

describe("at once", () => {
  it("of confirmations, one counts", async () => {
    const refund = await silent();
    const proposed = await propose(refund, SETTLED);
    const names = ["Jan Novak", "Eva Holm", "Jan Novak", "Ola Berg"];
    const results = await Promise.allSettled(names.map((name) => confirmBy(proposed, name)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect([await stateOf(refund), await balances()]).toEqual(["settled", BACK]);
  });

  it.each([SETTLED, FAILED])(
    "of a confirmation as $outcome and the provider's settlement, one ends it",
    async (finding) => {
      for (let trial = 0; trial < 8; trial += 1) {
        const refund = await silent();
        const proposed = await propose(refund, finding);
        report(refund, SETTLED_REPORT);
        const acts = [() => confirmBy(proposed), () => round(refund)];
        if (trial % 2) acts.reverse();
        await Promise.allSettled(acts.map((act) => act()));
        await pollRefund(await fresh(refund), now);
        const state = await stateOf(refund);
        // Whichever came first, the other moved nothing; a failure against a settlement is for a person.
        expect(await exceptionsAbout(refund)).toEqual(state === "failed" ? ["contradiction"] : []);
      }
    },
  );

  it("of a confirmation and a further call, the call is not made or the end waits for new evidence", async () => {
    for (let trial = 0; trial < 8; trial += 1) {
      const refund = await silent();
      const proposed = await propose(refund, FAILED);
      const announce = () => announceRefund(refund, { id: newId("attempt"), ordinal: 2 }, now());
      const [announced, ended] =
        trial % 2
          ? (await Promise.allSettled([confirmBy(proposed), announce()])).reverse()
          : await Promise.allSettled([announce(), confirmBy(proposed)]);
      const isSent = announced?.status === "fulfilled" && announced.value === true;
      expect(isSent).toBe(ended?.status === "rejected");
      expect(await stateOf(refund)).toBe(isSent ? "confirmed" : "failed");
      expect(await listAttempts(merchant.merchantId, refund.id)).toHaveLength(isSent ? 2 : 1);
    }
  });
});

it("the exception about its standstill closes once it has ended by hand", async () => {
  const refund = await silent();
  await round(refund, 25);
  expect(await exceptionsAbout(refund)).toContain("stuck");
  await resolve(refund, FAILED);
  await resolveEndedStuck();
  expect([await stateOf(refund), await exceptionsAbout(refund)]).toEqual(["failed", []]);
});
