import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { BALANCE_PERIODS } from "@/server/domain/balance-days";
import type { MovementTotal } from "@/server/domain/statement-summary";
import { decodeCursor, encodeCursor } from "@/server/http/cursor";
import { summarizeAccount } from "@/server/services/statements/account-statement";
import { readBalanceDays } from "@/server/services/statements/balance-days";
import { getWallets } from "@/server/services/wallets";
import { formatAsOf } from "./as-of";
import { memberProcedure, router } from "./procedures";
import { timeZone } from "./time-zone";
import {
  countNewLines,
  newLinesQuery,
  periodOf,
  readStatement,
  type StatementQuery,
  statementQuery,
} from "./wallet-statement";

const PAGE = 50;

const balanceDaysQuery = statementQuery.pick({ currency: true, account: true }).extend({
  days: z.literal(BALANCE_PERIODS, { error: `must be ${BALANCE_PERIODS.join(" or ")}` }),
  time_zone: timeZone,
});

/** A cursor is valid only for its own statement: another period has other balances. */
function routeOf({ currency, account, created_after: from, created_before: to }: StatementQuery): string {
  return ["/statement", currency, account, from, to].join("/");
}

function presentTotal({ credited, creditCount, debited, debitCount }: MovementTotal) {
  return {
    credited: credited.toString(),
    credit_count: creditCount,
    debited: debited.toString(),
    debit_count: debitCount,
  };
}

export const walletsRouter = router({
  list: memberProcedure("read_wallets").query(async ({ ctx: { call } }) =>
    (await getWallets(call.scope)).map(({ currency, available, held }) => ({
      currency,
      available: available.toString(),
      held: held.toString(),
    })),
  ),

  /** A page of one account's lines, newest first. */
  statement: memberProcedure("read_wallets")
    .input(statementQuery)
    .query(async ({ ctx: { call }, input }) => {
      const route = routeOf(input);
      const after = input.cursor === undefined ? null : decodeCursor(call.scope, route, input.cursor);
      const { lines, next, opening, asOf } = await readStatement(call.scope, input, after, PAGE);
      return {
        data: lines.map((line) => ({
          number: line.sequence.toString(),
          transaction_id: line.transactionId,
          reason: line.reason,
          intent_id: line.intentId,
          merchant_reference: line.names.merchantReference,
          provider_reference: line.names.providerReference,
          counterparty: line.names.counterparty,
          amount: line.amount.toString(),
          balance: line.balance.toString(),
          at: formatInstant(line.at),
        })),
        /** The balance before the period, on its last page. */
        opening_balance: opening === null ? null : opening.toString(),
        next_cursor: next && encodeCursor(call.scope, route, next),
        as_of: formatAsOf(asOf),
      };
    }),

  /** The period's opening and closing balance, and what came in and went out, in all and by kind of movement. */
  statementSummary: memberProcedure("read_wallets")
    .input(statementQuery.omit({ cursor: true }))
    .query(async ({ ctx: { call }, input }) => {
      const { result, asOf } = await summarizeAccount(periodOf(call.scope, input));
      return {
        opening: result.opening.toString(),
        closing: result.closing.toString(),
        total: presentTotal(result.total),
        kinds: result.kinds.map((kind) => ({ reason: kind.reason, ...presentTotal(kind) })),
        as_of: formatAsOf(asOf),
      };
    }),

  /** The number of lines after the newest one shown. */
  watchStatement: memberProcedure("read_wallets")
    .input(newLinesQuery)
    .query(async ({ ctx: { call }, input }) => ({ newer: Number(await countNewLines(call.scope, input)) })),

  /** The account's balance at the end of each of the last days, oldest first. */
  balanceDays: memberProcedure("read_wallets")
    .input(balanceDaysQuery)
    .query(async ({ ctx: { call }, input: { currency, account, days, time_zone: zone } }) => ({
      time_zone: zone,
      data: (await readBalanceDays({ scope: call.scope, currency, account }, days, zone)).map((one) => ({
        day: one.day,
        change: one.change.toString(),
        closing: one.closing.toString(),
      })),
    })),
});
