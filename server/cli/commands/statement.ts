import { formatInstant } from "@/server/contract/instants";
import { ENVIRONMENTS } from "@/server/domain/scope";
import type { Balances, StatementLine } from "@/server/domain/statement";
import { walletStatement } from "@/server/services/statements/statement";
import { defineCommand, oneOf, required } from "../command";
import { readInstant } from "../instant-option";

function present({ available, held }: Balances) {
  return { available: available.toString(), held: held.toString() };
}

function presentLine({ at, transactionId, reason, intentId, after, ...moved }: StatementLine) {
  return {
    at: formatInstant(at),
    transaction_id: transactionId,
    reason,
    intent_id: intentId,
    ...present(moved),
    after: present(after),
  };
}

export const statement = defineCommand({
  name: "statement",
  summary: "Print a wallet's statement; exits 1 if its lines do not add up to its balance",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    environment: oneOf(ENVIRONMENTS, "whose wallet"),
    currency: required("CODE", "the wallet's currency or token"),
    from: required("TIME", "start of the period, such as 2026-11-01T00:00:00Z"),
    to: required("TIME", "end of the period, excluded"),
  },
  run: async ({ merchant: merchantId, environment, currency, from: begin, to: end }) => {
    const [from, to] = [readInstant("from", begin), readInstant("to", end)];
    const { opening, lines, closing, unexplained, asOf } = await walletStatement({
      scope: { merchantId, environment },
      currency,
      from,
      to,
    });
    return {
      merchant_id: merchantId,
      environment,
      currency,
      from: formatInstant(from),
      to: formatInstant(to),
      opening: present(opening),
      lines: lines.map(presentLine),
      closing: present(closing),
      unexplained: present(unexplained),
      as_of: asOf && formatInstant(asOf),
      adds_up: unexplained.available === 0n && unexplained.held === 0n,
    };
  },
  succeeded: (document) => "adds_up" in document && document.adds_up === true,
});
