// Builds docs/provider-reports.md: what each report of a provider does in each state, as the decisions themselves say.
import type { BookedMovement } from "../booked-movement";
import { payoutSettlement } from "../ledger";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "../outcome";
import { decideOnPaymentOutcome, type PaymentIntent } from "../payment-intent";
import { decideOnPayoutOutcome, type PayoutIntent } from "../payout-intent";
import { decideOnTopupOutcome, type TopupIntent } from "../topup-intent";
import type { Decision, IntentCore, ReportedTotal } from "../transition";
import { movementsOf } from "./booked";
import { ADDRESS, after, QR, samplePayment, samplePayout, sampleTopup } from "./samples";

type Named<Value> = readonly (readonly [name: string, value: Value])[];

const trace = { providerReference: "px-1" } as const;
const sure = { detail: "" } as const;
const BRL = { currency: "BRL" } as const;
const ASKED = sampleTopup().sourceAmount;
const PART = ASKED / 2n;

const PAYMENT_STATES: Named<PaymentIntent> = [
  ["processing", samplePayment("processing")],
  ["processing, payer has acted", samplePayment("processing", { payerActedAt: after(0) })],
  ["requires_action", samplePayment("requires_action")],
  ["succeeded", samplePayment("succeeded")],
  ["failed", samplePayment("failed")],
  ["expired", samplePayment("expired")],
];

const paid = (amount: bigint, receiptId: string): PaymentOutcome => ({
  kind: "succeeded",
  amount,
  receiptId,
  ...BRL,
  ...trace,
});

const PAYMENT_REPORTS: Named<PaymentOutcome> = [
  [
    "`requires_action`, from a call begun before the payer acted",
    { kind: "requires_action", nextAction: QR, ...trace },
  ],
  ["`pending`", { kind: "pending", ...trace }],
  ["`succeeded`, the asked sum", paid(1050n, "r-1")],
  ["`succeeded`, another sum", paid(1049n, "r-2")],
  ["`declined`", { kind: "declined", message: null, ...trace }],
  ["`cancelled`", { kind: "cancelled", ...trace }],
  ["`expired`", { kind: "expired", ...trace }],
  ["never accepted", { kind: "never_accepted", ...sure }],
  ["any, for another sum than was asked", { kind: "pending", ...trace, intended: { amount: 1n, ...BRL } }],
  ["unclear", { kind: "unknown", ...sure }],
];

const PAYOUT_STATES: Named<PayoutIntent> = (
  ["requires_approval", "processing", "succeeded", "failed", "cancelled"] as const
).map((status) => [status, samplePayout(status)]);

const moved = (kind: "settled" | "returned", amount: bigint) => ({ kind, amount, ...BRL, ...trace }) as const;

const PAYOUT_REPORTS: Named<PayoutOutcome> = [
  ["`pending`", { kind: "pending", ...trace }],
  ["`settled`, the payout's sum", moved("settled", 25_000n)],
  ["`settled`, the payout's sum, under another reference", { ...moved("settled", 25_000n), providerReference: "px-2" }],
  ["`settled`, another sum", moved("settled", 24_999n)],
  ["`returned`", moved("returned", 25_000n)],
  ["`returned`, more than the payout", moved("returned", 25_001n)],
  ["`declined`", { kind: "declined", message: null, ...trace }],
  ["`invalid_recipient`", { kind: "invalid_recipient", message: null, ...trace }],
  ["never accepted", { kind: "never_accepted", ...sure }],
  ["any, for another sum than was asked", { kind: "pending", ...trace, intended: { amount: 1n, ...BRL } }],
  ["unclear", { kind: "unknown", ...sure }],
];

const seen = { seenAmount: ASKED, receivedAmount: 0n, reportedAmount: 0n };
const ended = { nextAction: { ...ADDRESS, amount: "0" } };
const TOPUP_STATES: Named<TopupIntent> = [
  ["requires_payment", sampleTopup("requires_payment", { nextAction: ADDRESS })],
  ["processing", sampleTopup("processing", { ...ended, ...seen })],
  [
    "succeeded",
    sampleTopup("succeeded", { ...ended, seenAmount: ASKED, receivedAmount: ASKED, reportedAmount: ASKED }),
  ],
  ["failed", sampleTopup("failed", ended)],
  ["expired", sampleTopup("expired", ended)],
];

const funds = (amount: bigint, confirmed: boolean, currency = "USDT"): TopupOutcome => ({
  kind: "funds_seen",
  amount,
  confirmed,
  currency,
  ...trace,
});

const TOPUP_REPORTS: Named<TopupOutcome> = [
  ["`requires_action`", { kind: "instructions", nextAction: ADDRESS, ...trace }],
  ["`pending`", { kind: "pending", ...trace }],
  ["`funds_seen`, a part, unconfirmed", funds(PART, false)],
  ["`funds_seen`, a part, confirmed", funds(PART, true)],
  ["`funds_seen`, the full sum, unconfirmed", funds(ASKED, false)],
  ["`funds_seen`, the full sum, confirmed", funds(ASKED, true)],
  ["`funds_seen`, more, confirmed", funds(2n * ASKED, true)],
  ["`funds_seen`, another token, confirmed", funds(5n, true, "BTC")],
  ["`funds_dropped`, nothing remains", { kind: "funds_dropped", amount: 0n, currency: "USDT", ...trace }],
  ["`funds_dropped`, another token", { kind: "funds_dropped", amount: 0n, currency: "BTC", ...trace }],
  ["`declined`", { kind: "declined", message: null, ...trace }],
  ["`expired`, before the end of the quote", { kind: "expired", ...trace }],
  ["never accepted", { kind: "never_accepted", ...sure }],
  ["any, for another sum than was asked", { kind: "pending", ...trace, intended: { amount: 1n, ...BRL } }],
  ["unclear", { kind: "unknown", ...sure }],
];

/** What a decision does, in the words of the table. */
function inWords<Intent extends IntentCore<string>>(before: Intent, decision: Decision<Intent>): string {
  switch (decision.kind) {
    case "depends_on_books":
      return inWords(before, decision.decide(bookedBefore(before)));
    case "ambiguous":
      return `opens \`${decision.exception.kind}\``;
    case "ignored":
      return "–";
    case "unmatched_funds":
      return decision.reason === "bank_return" ? "credits the wallet, opens `bank_return`" : suspense(decision.reason);
    case "total":
      return totalInWords(decision);
    case "contradiction":
      return "opens `contradiction`";
    case "planned": {
      const { after: next, exceptions = [] } = decision.plan;
      const failed = next.failure && next.failure !== before.failure ? ` (\`${next.failure.code}\`)` : "";
      const status = next.status === before.status ? "stays" : `**${next.status}**${failed}`;
      return [status, ...exceptions.map(({ kind }) => `opens \`${kind}\``)].join(", ");
    }
  }
}

/** Of what went before, only that a payout has settled, and under which reference. */
function bookedBefore({ id, status }: IntentCore<string>): BookedMovement[] {
  const payout = PAYOUT_STATES.map(([, intent]) => intent).find((intent) => intent.id === id);
  if (!payout || status !== "succeeded") return [];
  return movementsOf([payoutSettlement(payout)]).map((left) => ({ ...left, reference: trace.providerReference }));
}

function suspense(reason: string): string {
  return `to suspense, opens \`${reason}\``;
}

/** Nothing but the row itself is known beside the top-up. */
const NOTHING_BESIDE = { ordinal: 0, seen: null, reported: 0n, taken: 0n, dropped: 0n, restoredAt: null };

function totalInWords(total: ReportedTotal): string {
  const step = total.next(NOTHING_BESIDE);
  if (step === null) return "–";
  const { booking } = step;
  if (booking === null) return "noted";
  if (booking.exception !== null) return suspense(booking.exception.kind);
  return `credits the wallet (${step.action})`;
}

function table<Intent extends IntentCore<string>, Outcome>(
  title: string,
  states: Named<Intent>,
  reports: Named<Outcome>,
  decide: (intent: Intent, outcome: Outcome) => Decision<Intent>,
): string {
  const head = ["Report", ...states.map(([name]) => name)];
  const rows = reports.map(([name, outcome]) => [
    name,
    ...states.map(([, intent]) => inWords(intent, decide(intent, outcome))),
  ]);
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [`## ${title}`, "", ...lines, ""].join("\n");
}

const INTRODUCTION = `# What each report does in each state

This page is generated from the decisions in \`server/domain\`; \`npm run reports\` writes it, and a test compares it. Reports are those of the
[provider protocol](provider-protocol.md). Policies are the defaults: overpayment and underpayment \`credit_actual\`, late payment \`hold\`.

- **status**: the intent moves there; its failure code is in parentheses. *stays*: the row changes, the status does not. *–*: ignored, because the report is old or out of place.
- *opens*: an exception asks a person ([exceptions](reconciliation.md#exceptions)). *to suspense*: the money is booked and kept apart.
- *Never accepted* counts only while no report showed that the provider has the intent. After such a report it opens \`contradiction\`, and nothing is sent again, failed or released.
- The same money is booked once: equal receipt ids, or without ids an equal reference and sum. An equal sum that may be either, or another sum under a booked id, opens \`ambiguous_receipt\` and books nothing.
- A payout at the gate, once reported, is ended by two people only: it is neither cancelled nor lapses.
- A payment expires by time only while its payer has not acted.
`;

/** The whole page, in Markdown. */
export function reportTable(): string {
  const now = after(60_000);
  const payments = table("Payments", PAYMENT_STATES, PAYMENT_REPORTS, (intent, outcome) =>
    decideOnPaymentOutcome(intent, outcome, now),
  );
  const payouts = table("Payouts", PAYOUT_STATES, PAYOUT_REPORTS, (intent, outcome) =>
    decideOnPayoutOutcome(intent, outcome, now),
  );
  const topups = table("Top-ups", TOPUP_STATES, TOPUP_REPORTS, (intent, outcome) =>
    decideOnTopupOutcome(intent, outcome, now),
  );
  return [INTRODUCTION, payments, payouts, topups].join("\n");
}
