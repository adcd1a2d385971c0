// Random histories of callbacks: repeated, contradictory, of wrong sums, each in an order of its own.
import fc from "fast-check";
import { AMOUNT, type CallbackReport } from "./callback-fold";

const provider_reference = fc.constantFrom("psp-1", "psp-2");
const currency = fc.constantFrom("BRL", "BRL", "USD");
const amount = fc.constantFrom(AMOUNT, AMOUNT, "1049", "2100");
const silent = (...statuses: string[]) => fc.record({ status: fc.constantFrom(...statuses), provider_reference });
const moved = (status: string) => fc.record({ status: fc.constant(status), amount, currency, provider_reference });

const paymentReports: fc.Arbitrary<CallbackReport> = fc.oneof(
  { arbitrary: moved("succeeded"), weight: 3 },
  { arbitrary: silent("pending", "declined", "cancelled", "expired"), weight: 2 },
);

/** A bank sends a payout back once: it has one sum and one reference. */
const returned: CallbackReport = { status: "returned", amount: "400", currency: "BRL", provider_reference: "bank-1" };

const payoutReports: fc.Arbitrary<CallbackReport> = fc.oneof(
  { arbitrary: moved("settled"), weight: 3 },
  { arbitrary: fc.constant(returned), weight: 1 },
  { arbitrary: silent("pending", "declined", "invalid_recipient"), weight: 2 },
);

/** Callbacks of which some come again, in any order. */
function jumbled(news: fc.Arbitrary<CallbackReport>): fc.Arbitrary<CallbackReport[]> {
  const repeated = fc
    .tuple(news, fc.integer({ min: 1, max: 3 }))
    .map(([told, times]) => Array<CallbackReport>(times).fill(told));
  return fc.array(repeated, { minLength: 1, maxLength: 5 }).map((groups) => groups.flat());
}

function ordersOf(news: fc.Arbitrary<CallbackReport>, count: number): fc.Arbitrary<CallbackReport[][]> {
  return jumbled(news).chain((all) => {
    const order = fc.shuffledSubarray(all, { minLength: all.length });
    return fc.array(order, { minLength: count, maxLength: count });
  });
}

/** The same callbacks about a payment in `count` orders. */
export const paymentOrders = (count: number) => ordersOf(paymentReports, count);
/** The same callbacks about a payout in `count` orders. */
export const payoutOrders = (count: number) => ordersOf(payoutReports, count);
