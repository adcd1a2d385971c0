// The table of docs/providers.md: what each built-in adapter carries, and what none does.
import { TOKEN_SYMBOLS } from "@/server/domain/currencies";
import { PAYMENT_METHODS } from "@/server/domain/payment-methods";
import { TOPUP_ROWS } from "../btcpay/tables";
import type { RowSource } from "../config/keyed-account";
import { PAYMENT_ROWS as DLOCAL_PAYMENTS } from "../dlocal/tables";
import { PAYMENT_ROWS, PAYOUT_ROWS } from "../paystack/tables";
import { PAYMENT_ROWS as STRIPE_PAYMENTS } from "../stripe/tables";
import { PAYMENT_ROWS as XENDIT_PAYMENTS, PAYOUT_ROWS as XENDIT_PAYOUTS } from "../xendit/tables";

type Rows = Readonly<Record<string, { readonly source: RowSource }>>;

interface Adapter {
  readonly name: string;
  readonly payments: Rows;
  readonly payouts: Rows;
  /** Refunds of money in suspense to payers. */
  readonly refunds: Rows;
  /** Tokens of top-ups. */
  readonly topups: Rows;
}

const ADAPTERS: readonly Adapter[] = [
  { name: "Paystack", payments: PAYMENT_ROWS, payouts: PAYOUT_ROWS, refunds: {}, topups: {} },
  { name: "Stripe", payments: STRIPE_PAYMENTS, payouts: {}, refunds: { refund: { source: "docs" } }, topups: {} },
  { name: "Xendit", payments: XENDIT_PAYMENTS, payouts: XENDIT_PAYOUTS, refunds: {}, topups: {} },
  { name: "BTCPay", payments: {}, payouts: {}, refunds: {}, topups: TOPUP_ROWS },
  { name: "dLocal", payments: DLOCAL_PAYMENTS, payouts: {}, refunds: {}, topups: {} },
];

const MARKS: Readonly<Record<RowSource, string>> = {
  openapi: "yes",
  sdk: "yes",
  docs: "yes",
  code: "yes",
  unverified: "off",
};

function table(title: string, codes: readonly string[], rowsOf: (adapter: Adapter) => Rows): string[] {
  const mark = (adapter: Adapter, code: string) => {
    const row = rowsOf(adapter)[code];
    return row ? MARKS[row.source] : "";
  };
  const adapters = ADAPTERS.filter((adapter) => Object.keys(rowsOf(adapter)).length > 0);
  const isCarried = (code: string) => adapters.some((adapter) => rowsOf(adapter)[code] !== undefined);
  return [
    `| ${[title, ...adapters.map(({ name }) => name)].join(" | ")} |`,
    `|${"---|".repeat(adapters.length + 1)}`,
    ...codes
      .filter(isCarried)
      .map((code) => `| ${[`\`${code}\``, ...adapters.map((adapter) => mark(adapter, code))].join(" | ")} |`),
  ];
}

function without(codes: readonly string[], rowsOf: (adapter: Adapter) => Rows): string {
  const missing = codes.filter((code) => ADAPTERS.every((adapter) => rowsOf(adapter)[code] === undefined));
  return missing.map((code) => `\`${code}\``).join(" ");
}

/** Returns the generated part of docs/providers.md. */
export function coverageTables(): string {
  const methods = PAYMENT_METHODS.map(({ code }) => code);
  const ofMethods = PAYMENT_METHODS.map(({ currency }) => currency);
  const ofAdapters = ADAPTERS.flatMap(({ payouts }) => Object.keys(payouts));
  const currencies = [...new Set([...ofMethods, ...ofAdapters])].sort();
  return [
    ...table("Payment method", methods, ({ payments }) => payments),
    "",
    `No built-in adapter carries: ${without(methods, ({ payments }) => payments)}`,
    "",
    ...table("Payout currency", currencies, ({ payouts }) => payouts),
    "",
    `No built-in adapter pays out: ${without(currencies, ({ payouts }) => payouts)}`,
    "",
    ...table("Money back to payers", ["refund"], ({ refunds }) => refunds),
    "",
    ...table("Token of top-ups", TOKEN_SYMBOLS, ({ topups }) => topups),
    "",
    `No built-in adapter takes: ${without(TOKEN_SYMBOLS, ({ topups }) => topups)}`,
  ].join("\n");
}
