// Owns a chart of sums by day: bars for the eye, the same figures as a table for everybody.
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import { formatAmount } from "../money/format-amount";
import { daysBetween } from "./change-text";

type Volume = inferRouterOutputs<AppRouter>["overview"]["figures"]["volumes"][number];

const WIDTH = 600;
const HEIGHT = 120;
/** A day with anything at all is seen. */
const LEAST = 2;

interface DayChartProps {
  /** What the bars are: "Payments collected, BRL". */
  readonly title: string;
  readonly volume: Volume;
  readonly from: string;
  readonly to: string;
}

export function DayChart({ title, volume, from, to }: DayChartProps) {
  const days = daysBetween(from, to);
  const byDay = new Map(volume.by_day.map((one) => [one.day, one]));
  const most = volume.by_day.reduce((found, { amount }) => (BigInt(amount) > found ? BigInt(amount) : found), 1n);
  const step = WIDTH / days.length;
  const heightOf = (amount: string) => Math.max(LEAST, Number((BigInt(amount) * BigInt(HEIGHT)) / most));
  return (
    <div className="grid gap-2">
      <svg
        role="img"
        aria-label={`${title}, by day from ${from} to ${to}; the table below has the figures`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-32 w-full overflow-visible"
      >
        <line
          x1="0"
          x2={WIDTH}
          y1={HEIGHT}
          y2={HEIGHT}
          className="stroke-line-strong"
          vectorEffect="non-scaling-stroke"
        />
        {days.map((day, index) => {
          const one = byDay.get(day);
          if (!one) return null;
          const height = heightOf(one.amount);
          return (
            <rect
              key={day}
              x={index * step + step * 0.12}
              y={HEIGHT - height}
              width={step * 0.76}
              height={height}
              className="fill-accent"
            >
              <title>{`${day}: ${formatAmount(one.amount, volume.currency)} ${volume.currency}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className="figures flex justify-between text-xs text-ink-soft">
        <span>{from}</span>
        <span>{to}, UTC</span>
      </p>
      <details>
        <summary className="w-fit rounded-sm text-xs font-medium text-accent">Figures by day</summary>
        <table className="figures mt-2 w-full text-sm">
          <caption className="sr-only">{title}, by day</caption>
          <thead>
            <tr className="text-xs text-ink-soft">
              <th scope="col" className="py-1 text-left font-medium">
                Day (UTC)
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                Number
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                {volume.currency}
              </th>
            </tr>
          </thead>
          <tbody>
            {[...volume.by_day].reverse().map(({ day, count, amount }) => (
              <tr key={day} className="border-t border-line">
                <td className="py-1">{day}</td>
                <td className="py-1 text-right">{count.toLocaleString("en")}</td>
                <td className="py-1 text-right">{formatAmount(amount, volume.currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}
