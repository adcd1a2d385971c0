// Tests that confirmation rejects, and verification reports, proposals inserted or edited directly in the database.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { asMember, asOperator } from "@/server/cli/acting-as";
import { disconnect, query } from "@/server/db/client";
import { listExceptionsOf } from "@/server/db/exceptions";
import { sha256Hex } from "@/server/platform/crypto";
import {
  adoptPolicy,
  approvedPayout,
  balanceOf,
  makeMerchant,
  OPENING,
  payment,
  type TestMerchant,
} from "@/server/testing/merchant";
import { activePolicy } from "../approval-policies/active";
import { confirmPolicy, rejectPolicy } from "../approval-policies/decide";
import { proposePolicy } from "../approval-policies/propose";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { confirmJournalEntry, rejectJournalEntry } from "../journal/decide";
import { proposeJournalEntry } from "../journal/propose";
import { namedOperator } from "../merchants/operator";
import { createPaymentIntent } from "../payments/create";
import { PAYOUTS } from "../payouts/kind";
import { confirmRefund } from "../refunds/decide";
import { workOnDueRefunds } from "../refunds/due-refunds";
import { proposeRefund } from "../refunds/propose";
import { confirmResolution } from "../resolutions/confirm";
import { proposeResolution } from "../resolutions/propose";
import { rejectResolution } from "../resolutions/reject";
import { simulate } from "../sandbox/simulate";
import { linkAuditEntries } from "./link-entries";
import { openTamperer, type Tamperer } from "./testing/tampering";
import { verifyAuditChains } from "./verify-chains";

const [MARIA, JAN] = ["Maria Lopez", "Jan Novak"] as const;
const LETTER = "Letter of the provider of 2026-11-20.";

let tamperer: Tamperer;
let merchant: TestMerchant;
beforeAll(async () => {
  tamperer = await openTamperer([]);
});
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterAll(async () => {
  await tamperer.close();
  await disconnect();
});

const tamper = (sql: string) => tamperer.tamper([sql], merchant.merchantId);
const DIFFERS = {
  code: "validation_failed",
  message: expect.stringContaining("differs from what was proposed") as string,
};

async function faults() {
  await linkAuditEntries();
  const [report] = await verifyAuditChains(merchant.merchantId);
  return report?.faults.shown ?? [];
}

const fault = async () => (await faults())[0] ?? null;

async function proposeEntry(): Promise<string> {
  const accounts = { from: "provider_clearing", to: "available", provider: "acme" } as const;
  const given = {
    ...accounts,
    currency: "BRL",
    amount: "1050",
    evidence: LETTER,
    exceptionId: null,
    about: null,
    isAdditional: false,
  };
  return (await proposeJournalEntry(merchant.scope, MARIA, given)).id;
}

async function proposeEnd(): Promise<{ readonly id: string; readonly payoutId: string }> {
  const { id: payoutId } = await approvedPayout(merchant);
  const finding = { outcome: "settled", amount: null, providerReference: "px-1", evidence: LETTER } as const;
  const { id } = await proposeResolution(asOperator(merchant.scope, MARIA), payoutId, finding);
  return { id, payoutId };
}

/** Inserts a copy of a row with changed columns, past the service. */
const copy = (table: string, changes: string, of = "true") => `
  INSERT INTO ${table}
  SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(t) || jsonb_build_object(${changes}))).*
  FROM ${table} t WHERE merchant_id = $1 AND ${of} LIMIT 1`;

describe("a proposed journal entry", () => {
  it("inserted in the database is not booked, and reported", async () => {
    await proposeEntry();
    await tamper(copy("journal_entry", "'id', 'jrn_01jzzzzzzzzzzzzzzzzzzzzzzz', 'amount', 777"));
    await expect(confirmJournalEntry("jrn_01jzzzzzzzzzzzzzzzzzzzzzzz", JAN)).rejects.toMatchObject(DIFFERS);
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    expect(await fault()).toMatchObject({
      fault: "row_unaudited",
      object: "journal_entry jrn_01jzzzzzzzzzzzzzzzzzzzzzzz",
    });
  });

  it.each([
    "amount = 999",
    "proposed_by_id = 'eva holm'",
    "evidence = 'None.'",
    "to_account = 'fees'",
    "object_id = 'dord_1'",
    "is_additional = true",
    "digest = NULL",
  ])("with %s is not booked, and can be rejected", async (change) => {
    const id = await proposeEntry();
    await tamper(`UPDATE journal_entry SET ${change} WHERE merchant_id = $1`);
    await expect(confirmJournalEntry(id, JAN)).rejects.toMatchObject(DIFFERS);
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    await rejectJournalEntry(id, JAN);
  });

  it("is not booked by its proposer after their name was replaced", async () => {
    const id = await proposeEntry();
    await tamper("UPDATE journal_entry SET proposed_by_id = 'eva holm' WHERE merchant_id = $1");
    await expect(confirmJournalEntry(id, MARIA)).rejects.toMatchObject(DIFFERS);
  });
});

describe("a refund of money in suspense", () => {
  async function refund(): Promise<string> {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    for (const outcome of ["expired", "succeeded"]) await simulate(merchant.context, intent.id, outcome);
    const [exception] = await listExceptionsOf(merchant.scope, {}, null, 1);
    return (await proposeRefund(merchant.byMember(), exception?.id ?? "", "Paid late.")).id;
  }

  it("that was audited as it is has no fault, whatever its state", async () => {
    const id = await refund();
    expect(await faults()).toEqual([]);
    await confirmRefund(merchant.byMember(), id);
    expect(await faults()).toEqual([]);
    await workOnDueRefunds(50);
    expect(await faults()).toEqual([]);
  });

  it.each(["settled", "failed"] as const)(
    "that two people ended by hand as %s has no fault, until its row says otherwise",
    async (outcome) => {
      const id = await refund();
      await confirmRefund(merchant.byMember(), id);
      const finding = { outcome, amount: null, providerReference: null, evidence: LETTER };
      const { id: resolution } = await proposeResolution(asOperator(merchant.scope, MARIA), id, finding);
      await confirmResolution(resolution, namedOperator(JAN));
      expect(await faults()).toEqual([]);
      await tamper("UPDATE manual_resolution SET evidence = 'None.' WHERE merchant_id = $1");
      expect(await fault()).toMatchObject({ object: `manual_resolution ${resolution}` });
    },
  );

  it.each([
    "amount = 1",
    "reason = 'None.'",
    "provider = 'acme'",
    "provider_reference = 'px-2'",
    "payment_reference = 'dord_2'",
    "proposed_by_id = 'mem_1'",
    "digest = 'none'",
  ])("with %s is not confirmed", async (change) => {
    const id = await refund();
    await tamper(`UPDATE suspense_refund SET ${change} WHERE merchant_id = $1`);
    await expect(confirmRefund(merchant.byMember(), id)).rejects.toMatchObject({
      code: expect.stringMatching(/^(validation_failed|approval_required)$/) as string,
    });
  });

  it.each([
    "state = 'confirmed', decided_by_id = 'mem_2', decided_at = proposed_at, due_at = proposed_at",
    "amount = 1",
    "reason = 'None.'",
  ])("that was edited in the database (%s) is reported", async (change) => {
    const id = await refund();
    await tamper(`UPDATE suspense_refund SET ${change} WHERE merchant_id = $1`);
    expect(await fault()).toMatchObject({ object: `suspense_refund ${id}` });
  });
});

describe("a proposed resolution", () => {
  it("inserted in the database releases no hold, and is reported", async () => {
    const { id, payoutId } = await proposeEnd();
    const forged = "mres_01jzzzzzzzzzzzzzzzzzzzzzzz";
    await rejectResolution(asOperator(merchant.scope, MARIA), id);
    await tamper(
      copy(
        "manual_resolution",
        `'id', '${forged}', 'outcome', 'failed', 'amount', NULL, 'currency', NULL, 'state', 'proposed',
         'decided_by_type', NULL, 'decided_by_id', NULL, 'decided_at', NULL, 'digest', '${sha256Hex("invented")}'`,
      ),
    );
    await expect(confirmResolution(forged, namedOperator(JAN))).rejects.toMatchObject(DIFFERS);
    expect((await getIntent(PAYOUTS, merchant.scope, payoutId)).status).toBe("processing");
    expect(await fault()).toMatchObject({ fault: "row_unaudited", object: `manual_resolution ${forged}` });
  });

  it.each([
    "outcome = 'failed', amount = NULL, currency = NULL",
    "amount = 1",
    "proposed_by_id = 'eva holm'",
    "proposed_at = proposed_at + interval '1 day'",
    "provider_reference = 'px-2'",
  ])("with %s ends nothing", async (change) => {
    const { id, payoutId } = await proposeEnd();
    await tamper(`UPDATE manual_resolution SET ${change} WHERE merchant_id = $1`);
    await expect(confirmResolution(id, namedOperator(JAN))).rejects.toMatchObject(DIFFERS);
    expect((await getIntent(PAYOUTS, merchant.scope, payoutId)).status).toBe("processing");
  });
});

describe("after its confirmation", () => {
  it.each([
    "proposed_by_id = 'eva holm'",
    "decided_by_id = 'eva holm'",
    "evidence = 'None.'",
    "amount = amount + 1",
    "proposed_at = proposed_at - interval '1 day'",
    "decided_at = decided_at + interval '1 day'",
    "state = 'rejected'",
    "state = 'proposed', decided_by_id = NULL, decided_at = NULL",
    "exception_id = 'exc_1', object_id = 'dord_1'",
    "is_additional = true",
  ])("a journal entry with %s is reported", async (change) => {
    const id = await proposeEntry();
    await confirmJournalEntry(id, JAN);
    expect(await fault()).toBeNull();
    await tamper(`UPDATE journal_entry SET ${change} WHERE merchant_id = $1`);
    expect(await fault()).toMatchObject({ fault: "row_altered", object: `journal_entry ${id}` });
  });

  it.each([
    "proposed_by_id = 'eva holm'",
    "proposed_by_type = 'member'",
    "decided_by_id = 'eva holm'",
    "evidence = 'None.'",
    "provider_reference = 'px-2'",
    "outcome = 'failed', amount = NULL, currency = NULL",
    "state = 'superseded'",
  ])("a resolution with %s is reported", async (change) => {
    const { id } = await proposeEnd();
    await confirmResolution(id, namedOperator(JAN));
    expect(await fault()).toBeNull();
    await tamper(`UPDATE manual_resolution SET ${change} WHERE merchant_id = $1`);
    expect(await fault()).toMatchObject({ fault: "row_altered", object: `manual_resolution ${id}` });
  });

  it.each(["journal_entry", "manual_resolution"])("a deleted %s is reported", async (table) => {
    if (table === "journal_entry") await confirmJournalEntry(await proposeEntry(), JAN);
    else await confirmResolution((await proposeEnd()).id, namedOperator(JAN));
    await tamper(`DELETE FROM ${table} WHERE merchant_id = $1`);
    expect(await fault()).toMatchObject({ fault: "row_missing", object: expect.stringContaining(table) as string });
  });
});

describe("an approval policy", () => {
  const RULES = { rules: [{ currency: "BRL", amountAtLeast: 30_000n, approvals: 2 }], defaultApprovals: 1 } as const;
  const object = (version: number) => `approval_policy test ${version}`;
  const policy = "merchant_id = $1 AND environment = 'test' AND version";
  const ACTIVE = `'environment', 'test', 'version', 3, 'default_approvals', 0, 'rules', '[]'::jsonb, 'state', 'active',
    'proposed_by_type', 'member', 'proposed_by_id', 'mem_a', 'decided_by_id', 'mem_b'`;

  it("cannot be activated in the database because of its rules", async () => {
    await adoptPolicy(merchant, RULES);
    await query(
      "UPDATE approval_policy SET state = 'superseded' WHERE merchant_id = $1 AND environment = 'test' AND version = 2",
      merchant.merchantId,
    );
    const insert = query(copy("approval_policy", ACTIVE), merchant.merchantId);
    await expect(insert).rejects.toThrow("approval_policy_begins_proposed");
    expect(await fault()).toMatchObject({ fault: "row_altered", object: object(2) });
  });

  it("activated by bypassing the database's rules is reported", async () => {
    await tamper("UPDATE approval_policy SET state = 'superseded' WHERE merchant_id = $1 AND environment = 'test'");
    await tamper(copy("approval_policy", ACTIVE));
    expect(await faults()).toMatchObject([
      { fault: "row_unaudited", object: object(1) },
      { fault: "row_unaudited", object: object(3) },
    ]);
  });

  it("inserted as a proposal in the database does not take effect, and can be rejected", async () => {
    await rejectPolicy(merchant.byMember(), (await proposePolicy(merchant.byMember(), RULES)).version);
    const proposal = `'environment', 'test', 'version', 3, 'default_approvals', 0, 'rules', '[]'::jsonb,
      'state', 'proposed', 'decided_by_id', NULL, 'decided_at', NULL`;
    await query(copy("approval_policy", proposal, "version = 2"), merchant.merchantId);
    await expect(confirmPolicy(merchant.byMember(), 3)).rejects.toMatchObject(DIFFERS);
    expect(await activePolicy(merchant.scope)).toMatchObject({ version: 1 });
    expect(await fault()).toMatchObject({ fault: "row_unaudited", object: object(3) });
    await rejectPolicy(merchant.byMember(), 3);
  });

  it.each([
    ["default_approvals = 0", {}],
    ["rules = '[]'", {}],
    ["proposed_by_id = 'mem_other'", {}],
    ["proposed_at = proposed_at - interval '1 day'", {}],
    ["digest = NULL", {}],
    ["version = 3", { version: 3 }],
    ["environment = 'live'", { environment: "live" }],
  ] as const)("that was edited at the database by %s is not put into effect", async (change, place) => {
    await proposePolicy(merchant.byMember(), RULES);
    await tamper(`UPDATE approval_policy SET ${change} WHERE ${policy} = 2`);
    const { version, environment } = { version: 2, environment: "test" as const, ...place };
    const context = { ...merchant.byMember(), scope: { ...merchant.scope, environment } };
    await expect(confirmPolicy(context, version)).rejects.toMatchObject(DIFFERS);
  });

  it.each([
    "default_approvals = 0",
    "rules = '[]'",
    "proposed_by_id = 'mem_other'",
    "decided_by_id = 'mem_other'",
    "proposed_at = proposed_at - interval '1 day'",
    "state = 'rejected'",
  ])("with %s is reported", async (change) => {
    await adoptPolicy(merchant, RULES);
    expect(await fault()).toBeNull();
    await tamper(`UPDATE approval_policy SET ${change} WHERE ${policy} = 2`);
    expect(await fault()).toMatchObject({ fault: "row_altered", object: object(2) });
  });

  it("reactivated after the confirmation of another is reported", async () => {
    await adoptPolicy(merchant, { ...RULES, defaultApprovals: 0 });
    await adoptPolicy(merchant, RULES);
    expect(await fault()).toBeNull();
    await tamper(`UPDATE approval_policy SET state = 'superseded' WHERE ${policy} = 3`);
    await tamper(`UPDATE approval_policy SET state = 'active' WHERE ${policy} = 2`);
    expect(await faults()).toMatchObject([
      { fault: "row_altered", object: object(2) },
      { fault: "row_altered", object: object(3) },
    ]);
  });

  it("of the merchant's creation with changed terms is reported, and so is a deleted one", async () => {
    await adoptPolicy(merchant, RULES);
    await tamper(`UPDATE approval_policy SET default_approvals = 0 WHERE ${policy} = 1`);
    await tamper(`DELETE FROM approval_policy WHERE ${policy} = 2`);
    expect((await faults()).map(({ object: what }) => what)).toEqual([object(1), object(2)]);
  });

  it("that operators propose and confirm as members agrees with its entries", async () => {
    const [first, second] = await query<{ email: string }>(
      "SELECT email FROM member WHERE merchant_id = $1",
      merchant.merchantId,
    );
    const { version } = await proposePolicy(await asMember(merchant.scope, first?.email ?? ""), RULES);
    await confirmPolicy(await asMember(merchant.scope, second?.email ?? ""), version);
    expect(await fault()).toBeNull();
  });
});

it("a rejected journal entry that was reopened and confirmed is reported", async () => {
  const id = await proposeEntry();
  await rejectJournalEntry(id, MARIA);
  expect(await fault()).toBeNull();
  await tamper(
    "UPDATE journal_entry SET state = 'proposed', decided_by_id = NULL, decided_at = NULL WHERE merchant_id = $1",
  );
  await confirmJournalEntry(id, JAN);
  expect(await fault()).toMatchObject({ fault: "row_altered", object: `journal_entry ${id}` });
});

it("an audit entry about a proposal contains its row", async () => {
  await proposeEnd();
  const [entry] = await query<{ after: object }>(
    "SELECT after FROM audit_entry WHERE merchant_id = $1 AND action = 'manual_resolution.propose'",
    merchant.merchantId,
  );
  expect(entry?.after).toMatchObject({ provider_reference: "px-1" });
});
