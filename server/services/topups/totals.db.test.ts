// Totals of a top-up that are applied concurrently: the books contain the largest, once.

import { beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { valueOf } from "@/server/domain/topup-funds";
import type { TopupIntent } from "@/server/domain/topup-intent";
import type { TopupPolicies } from "@/server/domain/topup-terms";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { expireTopup, scriptedTopup } from "@/server/testing/topup";
import { applyUpdate } from "../callbacks/apply-update";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { settleException } from "../exceptions/settle";
import { getIntent } from "../intents/read";
import { TOPUPS } from "./kind";

let merchant: TestMerchant;
beforeEach(async () => {
  installScriptedProvider();
  acceptCallbacks();
  merchant = await makeLiveMerchant();
});

const HOLD: TopupPolicies = { overpayment: "hold", underpayment: "hold", latePayment: "hold" };
const CREDIT: TopupPolicies = {
  overpayment: "credit_actual",
  underpayment: "credit_actual",
  latePayment: "credit_actual",
};
const POLICIES = [
  ["hold", HOLD],
  ["credit_actual", CREDIT],
] as const;

const read = ({ id }: TopupIntent) => getIntent(TOPUPS, merchant.scope, id);

interface FundsReport {
  readonly status: "funds_seen" | "funds_dropped" | "declined";
  readonly percent?: bigint;
  readonly confirmed?: boolean;
}
const paid = (percent: bigint, confirmed = true): FundsReport => ({ status: "funds_seen", percent, confirmed });
const dropped = (percent: bigint): FundsReport => ({ status: "funds_dropped", percent });
const share = ({ sourceAmount }: TopupIntent, percent: bigint) => (sourceAmount * percent) / 100n;

/** Delivers the reports as callbacks and applies all concurrently, as workers do that claim one each. */
async function tell(intent: TopupIntent, ...reports: readonly FundsReport[]): Promise<void> {
  for (const { status, percent, confirmed } of reports) {
    const sum = percent === undefined ? {} : { amount: share(intent, percent).toString(), currency: "USDT" };
    await sendCallback(intent, { status, confirmed, provider_reference: null, ...sum });
  }
  await Promise.all(reports.map(() => applyDueCallbacks(1, 30_000)));
  while ((await applyDueCallbacks(50, 30_000)) > 0);
}

/** Returns the amounts booked for the intent in its wallet's currency, by account. */
async function booked({ id }: TopupIntent): Promise<Record<string, bigint>> {
  const rows = await query<{ kind: string; amount: string }>(
    `SELECT split_part(e.kind, ':', 1) AS kind, sum(e.amount)::text AS amount FROM ledger_transaction t
     JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
     WHERE t.intent_id = $1 AND e.currency = 'BRL' GROUP BY 1 HAVING sum(e.amount) <> 0`,
    id,
  );
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, BigInt(amount)]));
}

const received = async (intent: TopupIntent) => -((await booked(intent)).provider_clearing ?? 0n);

async function requireSound(): Promise<void> {
  await requireInvariants();
}

it("restored funds that drop again are short again, with a separate exception", async () => {
  const intent = await scriptedTopup(merchant, { policies: HOLD });
  await tell(intent, paid(100n));
  const full = await received(intent);
  await tell(intent, dropped(0n));
  expect(await received(intent)).toBe(0n);
  const opened = () =>
    query<{ id: string }>(
      "SELECT id FROM exception WHERE object_id = $1 AND kind = 'funds_dropped' ORDER BY opened_at",
      intent.id,
    );
  const [first] = await opened();
  const member = merchant.byMember();
  const operator = { ...member, actor: { ...member.actor, statedAddress: "eva@shop.example" } };
  await settleException(operator, first?.id ?? "", "restore", "It came back.");
  expect(await received(intent)).toBe(full);
  await tell(intent, dropped(0n), dropped(0n));
  expect([await received(intent), (await opened()).length]).toEqual([0n, 2]);
  await requireSound();
});

const LATE = [100n, 150n, 110n, 50n, 130n, 20n, 150n, 90n];

interface Course {
  readonly inTime: readonly FundsReport[];
  readonly afterwards: readonly FundsReport[];
}
const COURSES: readonly Course[] = [
  { inTime: [paid(100n, false), paid(60n)], afterwards: [paid(80n), paid(100n)] },
  { inTime: [paid(60n, false), paid(30n)], afterwards: [paid(60n), paid(100n, false), paid(100n)] },
  { inTime: [paid(60n), paid(100n, false), paid(100n)], afterwards: [] },
  { inTime: [paid(100n), paid(150n, false), paid(110n)], afterwards: [paid(150n), paid(170n)] },
  { inTime: [paid(40n), paid(70n)], afterwards: [paid(110n)] },
  { inTime: [paid(100n, false), paid(100n), paid(250n), paid(250n, false)], afterwards: [paid(300n)] },
];

/** Ends the quote as the worker does after polling. */
async function endQuote(intent: TopupIntent): Promise<void> {
  await query(
    "UPDATE topup_intent SET expires_at = created_at WHERE id = $1 AND status IN ('requires_payment', 'processing')",
    intent.id,
  );
  await expireTopup(merchant, await read(intent));
}

describe.each(POLICIES)("reports that overlap under %s", (_name, policies) => {
  it.each(COURSES)("end like the same reports in order: course %#", async ({ inTime, afterwards }) => {
    const ordered = await scriptedTopup(merchant, { policies });
    for (const report of inTime) await tell(ordered, report);
    await endQuote(ordered);
    for (const report of afterwards) await tell(ordered, report);
    const { status, nextAction } = await read(ordered);
    const books = await booked(ordered);
    for (let trial = 0; trial < 3; trial += 1) {
      const overlapping = await scriptedTopup(merchant, { policies });
      await tell(overlapping, ...inTime.toReversed(), ...inTime);
      await endQuote(overlapping);
      await tell(overlapping, ...afterwards.toReversed(), ...inTime, ...afterwards);
      expect(await read(overlapping)).toMatchObject({ status, nextAction });
      expect(await booked(overlapping)).toEqual(books);
    }
    await requireSound();
  });
});

describe.each(POLICIES)("simultaneous totals under %s", (_name, policies) => {
  it("after a failure are booked to the largest, by callbacks", async () => {
    const intent = await scriptedTopup(merchant, { policies });
    await tell(intent, { status: "declined" });
    await tell(intent, ...LATE.map((percent) => paid(percent)));
    expect(await received(intent)).toBe(valueOf(share(intent, 150n), intent));
    await requireSound();
  });

  it("beyond a success are booked to the largest, by callbacks", async () => {
    const intent = await scriptedTopup(merchant, { policies });
    await tell(intent, paid(100n));
    await tell(intent, paid(110n), paid(170n), paid(120n), paid(150n), paid(170n, false));
    await tell(intent, paid(180n), paid(130n), paid(200n));
    expect(await received(intent)).toBe(valueOf(share(intent, 200n), intent));
    await requireSound();
  });

  it("are booked to the largest if each is decided on the same read", async () => {
    const intent = await scriptedTopup(merchant, { policies });
    await tell(intent, { status: "declined" });
    const ended = await read(intent);
    const news = LATE.map((percent) => ({
      kind: "funds_seen" as const,
      amount: share(intent, percent),
      currency: "USDT",
      confirmed: true,
      providerReference: null,
    }));
    const subject = { kind: "topup_intent", intent: ended } as const;
    await Promise.all(news.map((one) => applyUpdate(merchant.context, subject, [one])));
    expect(await received(intent)).toBe(valueOf(share(intent, 150n), intent));
    await requireSound();
  });

  it("and drop are short by the largest drop, also of late funds", async () => {
    const intent = await scriptedTopup(merchant, { policies });
    await tell(intent, paid(100n));
    await tell(intent, paid(150n));
    await tell(intent, dropped(100n), dropped(0n), dropped(40n), dropped(0n));
    expect(await received(intent)).toBe(0n);
    await requireSound();
  });
});
