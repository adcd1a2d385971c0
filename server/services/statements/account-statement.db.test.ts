// A statement's balances and totals agree with its lines, over any period, and its lines name both sides.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { disconnect } from "@/server/db/client";
import { balanceOf, makeMerchant, OPENING, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { cancelPayoutIntent } from "../payouts/cancel";
import { createPayoutIntent } from "../payouts/create";
import { simulate } from "../sandbox/simulate";
import { fundWallet } from "../wallets";
import { type AccountLine, type AccountPeriod, listAccountLines } from "./account-lines";
import { type AccountStatement, readStatementPart, summarizeAccount } from "./account-statement";

// The service uses the time set by these tests as the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const START = Date.UTC(2027, 5, 1);
const at = (hours: number) => new Date(START + hours * 60 * 60_000);
const CUSTOMER = { name: "Zoë Peña", email: "zoe@example.com" };

let merchant: TestMerchant;
let paid: string;
/** An opening, a payment, and in each of eight hours a funding and a payout; every second payout is cancelled. */
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  merchant = await makeMerchant(["BRL", "JPY"]);
  const { context } = merchant;
  const bought = payment({ merchantReference: "order-1", customer: CUSTOMER });
  paid = (await createPaymentIntent(context, bought, withoutIdempotency())).intent.id;
  await simulate(context, paid, "succeeded");
  for (let hour = 1; hour <= 8; hour += 1) {
    vi.setSystemTime(at(hour));
    await fundWallet(context, { currency: "BRL", amount: BigInt(hour) });
    const asked = payout({ amount: String(10 + hour), merchantReference: `inv-${hour}` });
    const { intent } = await createPayoutIntent(context, asked, withoutIdempotency());
    if (hour % 2 === 0) await cancelPayoutIntent(context, { id: intent.id, reason: null }, withoutIdempotency());
  }
});
afterAll(async () => {
  vi.useRealTimers();
  await disconnect();
});

const summary = async (more: Partial<AccountPeriod> = {}): Promise<AccountStatement> =>
  (await summarizeAccount({ scope: merchant.scope, currency: "BRL", account: "available", ...more })).result;

async function linesOf(statement: AccountStatement, size: number): Promise<AccountLine[]> {
  const lines: AccountLine[] = [];
  let part = await readStatementPart(statement, null, size);
  for (;;) {
    lines.push(...part.lines);
    if (!part.next) return lines;
    part = await readStatementPart(statement, part.next, size);
  }
}

it.each([1, 3, 500])(
  "in parts of %i, lines run from the opening to the closing balance and add up by kind",
  async (size) => {
    for (const account of ["available", "held"] as const) {
      for (const [from, to] of [
        [undefined, undefined],
        [at(3), at(6)],
        [at(0), at(1)],
        [at(100), at(200)],
        [at(-2), at(-1)],
      ]) {
        const statement = await summary({ account, from, to });
        const lines = await linesOf(statement, size);
        let balance = statement.opening;
        for (const line of lines) {
          balance += line.amount;
          expect(line.balance).toBe(balance);
        }
        expect(balance).toBe(statement.closing);
        for (const { reason, credited, creditCount, debited, debitCount } of statement.kinds) {
          const own = lines.filter((line) => line.reason === reason).map(({ amount }) => amount);
          const [credits, debits] = [own.filter((amount) => amount > 0n), own.filter((amount) => amount < 0n)];
          const sum = (all: readonly bigint[]) => all.reduce((total, amount) => total + amount, 0n);
          expect([credited, creditCount, -debited, debitCount]).toEqual([
            sum(credits),
            credits.length,
            sum(debits),
            debits.length,
          ]);
        }
        const { total } = statement;
        expect(total.creditCount + total.debitCount).toBe(lines.length);
        const page = await listAccountLines({ scope: merchant.scope, currency: "BRL", account, from, to }, null, 100);
        expect(lines).toEqual([...page.lines].reverse());
      }
    }
  },
);

it("a period begins with the balance before it and ends with the balance at its end", async () => {
  const whole = await summary();
  expect([whole.opening, whole.closing]).toEqual([0n, (await balanceOf(merchant))[0]]);
  const before = await summary({ to: at(3) });
  const after = await summary({ from: at(3) });
  expect(after.opening).toBe(before.closing);
  expect((await summary({ currency: "JPY", from: at(1) })).opening).toBe(OPENING / 100n);
  await expect(summary({ currency: "USD" })).rejects.toMatchObject({ code: "not_found" });
  await expect(summary({ from: at(2), to: at(2) })).rejects.toMatchObject({ code: "validation_failed" });
});

it("what is booked after the summary is in no part", async () => {
  const statement = await summary();
  vi.setSystemTime(at(50));
  await fundWallet(merchant.context, { currency: "BRL", amount: 5n });
  const lines = await linesOf(statement, 2);
  expect(lines.at(-1)?.balance).toBe(statement.closing);
  expect((await summary()).closing).toBe(statement.closing + 5n);
});

it("a line has the merchant's reference, the provider's, and who was on the other side", async () => {
  const lines = await linesOf(await summary(), 100);
  const payer = lines.find(({ intentId }) => intentId === paid);
  expect(payer?.names).toMatchObject({ merchantReference: "order-1", counterparty: CUSTOMER.name });
  expect(payer?.names.providerReference).toEqual(expect.any(String));
  const recipient = lines.find(({ names }) => names.merchantReference === "inv-1");
  expect(recipient?.names).toMatchObject({ counterparty: payout().recipient.holderName, providerReference: null });
  const funded = lines.find(({ reason }) => reason === "funding");
  expect(funded?.names).toEqual({ merchantReference: null, providerReference: null, counterparty: null });
});
