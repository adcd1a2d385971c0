// Owns the dashboard's procedures on wallets: balances, and the statement of one of them.
import { formatInstant } from "@/server/contract/instants";
import { decodeCursor, encodeCursor } from "@/server/http/cursor";
import { getWallets } from "@/server/services/wallets";
import { memberProcedure, router } from "./procedures";
import { readStatement, type StatementQuery, statementQuery } from "./wallet-statement";

const PAGE = 50;

/** A cursor holds for the statement that it was given out for: another period has other balances. */
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
      const { lines, next, opening } = await readStatement(call.scope, input, after, PAGE);
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
      };
    }),
});
