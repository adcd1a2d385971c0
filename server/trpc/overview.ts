// The overview's procedures: the figures of a period, and what awaits the member's approval.
import { z } from "zod";
import { countDays, isDay } from "@/server/domain/days";
import { LONGEST_PERIOD, PERIODS } from "@/server/domain/figures";
import { readFigures } from "@/server/services/figures/read";
import { sumWaitingFor } from "@/server/services/payouts/waiting";
import { formatAsOf } from "./as-of";
import { memberProcedure, router } from "./procedures";
import { timeZone } from "./time-zone";

/** A day since the year 2000, in which time zones follow today's rules. */
const day = z
  .string()
  .refine((text) => isDay(text) && text >= "2000-01-01" && text < "3000-01-01", "must be a day such as 2026-11-21");

const PERIOD = `must be ${PERIODS.join(", ")} days, or 1 to ${LONGEST_PERIOD} days from one day to another`;

const customPeriod = z.strictObject({ from: day, to: day }).refine(({ from, to }) => {
  const days = countDays(from, to);
  return days >= 1 && days <= LONGEST_PERIOD;
}, PERIOD);

const period = z.union([z.strictObject({ days: z.literal(PERIODS) }), customPeriod], { error: PERIOD });

export const overviewRouter = router({
  figures: memberProcedure("read_intents")
    .input(z.object({ period, time_zone: timeZone }))
    .query(async ({ ctx: { call }, input }) => {
      const figures = await readFigures(call.scope, input.period, input.time_zone);
      return {
        from: figures.from,
        to: figures.to,
        time_zone: input.time_zone,
        is_behind: figures.isBehind,
        as_of: formatAsOf(figures.asOf),
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

  /** The number of payouts that await this member, and their sums per currency; counting stops at `cap`. */
  waiting: memberProcedure("decide_payouts").query(async ({ ctx: { call } }) => {
    const { waiting, cap, sums } = await sumWaitingFor(call.scope, call.actor.id);
    return { waiting, cap, sums: sums.map(({ currency, amount }) => ({ currency, amount: amount.toString() })) };
  }),
});
