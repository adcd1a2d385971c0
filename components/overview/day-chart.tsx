// Sums by day, as one bar for every day with a sum.

import type { inferRouterOutputs } from "@trpc/server";
import { daysBetween } from "@/server/domain/days";
import type { AppRouter } from "@/server/trpc/router";
import { CHART_HEIGHT, CHART_WIDTH, DayFrame } from "../charts/day-frame";
import { daySumText } from "../charts/day-sum-text";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";

type Figures = inferRouterOutputs<AppRouter>["overview"]["figures"];

/** The minimum height, so that every day with a sum is visible. */
const LEAST = 2;

interface DayChartProps {
  /** What the bars show: "Payments collected, BRL". */
  readonly title: string;
  readonly volume: Figures["volumes"][number];
  readonly figures: Pick<Figures, "from" | "to" | "time_zone">;
}

export function DayChart({ title, volume, figures: { from, to, time_zone: zone } }: DayChartProps) {
  const texts = useTexts();
  const days = daysBetween(from, to);
  const byDay = new Map(volume.by_day.map((one) => [one.day, one]));
  const most = volume.by_day.reduce((found, { amount }) => (BigInt(amount) > found ? BigInt(amount) : found), 1n);
  const step = CHART_WIDTH / days.length;
  const heightOf = (amount: string) => Math.max(LEAST, Number((BigInt(amount) * BigInt(CHART_HEIGHT)) / most));
  return (
    <DayFrame
      title={title}
      from={from}
      to={to}
      zone={zone}
      columns={[texts("overview.number"), volume.currency]}
      rows={volume.by_day.map(({ day, count, amount }) => ({
        day,
        cells: [texts.number(count), formatAmount(texts, amount, volume.currency)],
      }))}
    >
      {days.map((day, index) => {
        const one = byDay.get(day);
        if (!one) return null;
        const height = heightOf(one.amount);
        return (
          <rect
            key={day}
            x={index * step + step * 0.12}
            y={CHART_HEIGHT - height}
            width={step * 0.76}
            height={height}
            className="fill-accent"
          >
            <title>{daySumText(texts, day, one.amount, volume.currency)}</title>
          </rect>
        );
      })}
    </DayFrame>
  );
}
