import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { BALANCE_PERIODS } from "@/server/domain/balance-days";
import { decodeCursor, encodeCursor } from "@/server/http/cursor";
import { readBalanceDays } from "@/server/services/statements/balance-days";
import { getWallets } from "@/server/services/wallets";
import { formatAsOf } from "./as-of";
import { memberProcedure, router } from "./procedures";
import { timeZone } from "./time-zone";
import { countNewLines, newLinesQuery, readStatement, type StatementQuery, statementQuery } from "./wallet-statement";

const PAGE = 50;

const balanceDaysQuery = statementQuery.pick({ currency: true, account: true }).extend({
  days: z.literal(BALANCE_PERIODS, { error: `must be ${BALANCE_PERIODS.join(" or ")}` }),
  time_zone: timeZone,
});

/** A cursor is valid only for its own statement: another period has other balances. */
function routeOf({ currency, account, created_after: from, created_before: to }: StatementQuery): string {
  return ["/statement", currency, account, from, to].join("/");
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
