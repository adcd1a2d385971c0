// Owns the dashboard's procedures of the overview: the figures of a period, and what waits for the member's approval.
import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { PERIODS } from "@/server/domain/figures";
import { readFigures } from "@/server/services/figures/read";
import { sumWaitingFor } from "@/server/services/payout-intents/waiting";
import { memberProcedure, router } from "./procedures";

const days = z.literal(PERIODS, { error: `must be one of ${PERIODS.join(", ")}` });

export const overviewRouter = router({
  figures: memberProcedure("read_intents")
    .input(z.object({ days }))
    .query(async ({ ctx: { call }, input }) => {
      const figures = await readFigures(call.scope, input.days);
      return {
        from: figures.from,
        to: figures.to,
        counted_since: figures.countedSince && formatInstant(figures.countedSince),
        has_begun: figures.hasBegun,
        volumes: figures.volumes.map(({ kind, currency, amount, amountBefore, count, byDay }) => ({
          kind,
          currency,
          amount: amount.toString(),
          amount_before: amountBefore.toString(),
          count,
          by_day: byDay.map((one) => ({ ...one, amount: one.amount.toString() })),
        })),
        rates: figures.rates.map((rate) => ({
          kind: rate.kind,
          succeeded: rate.succeeded,
          ended: rate.ended,
          succeeded_before: rate.succeededBefore,
          ended_before: rate.endedBefore,
        })),
        failures: figures.failures,
      };
    }),

  /** How many payouts wait for this member, and their sums per currency; counting stops at `cap`. */
  waiting: memberProcedure("decide_payouts").query(async ({ ctx: { call } }) => {
    const { waiting, cap, sums } = await sumWaitingFor(call.scope, call.actor.id);
    return { waiting, cap, sums: sums.map(({ currency, amount }) => ({ currency, amount: amount.toString() })) };
  }),
});
