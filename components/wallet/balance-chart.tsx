// A balance as a chart: a level for every day, with its change and its close in the table.

import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import { CHART_HEIGHT, CHART_WIDTH, DayFrame } from "../charts/day-frame";
import { daySumText } from "../charts/day-sum-text";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { signedText } from "../money/signed-amount";
import { extremesOf, type Level } from "./balance-levels";

type BalanceDays = inferRouterOutputs<AppRouter>["wallets"]["balanceDays"];

interface BalanceChartProps {
  /** What the levels show: "Available, BRL". */
  readonly title: string;
  readonly currency: string;
  readonly balance: BalanceDays;
}

export function BalanceChart({ title, currency, balance: { data, time_zone: zone } }: BalanceChartProps) {
  const texts = useTexts();
  const extremes = extremesOf(data);
  if (!extremes) return null;
  const { lowest, highest } = extremes;
  const most = BigInt(highest.closing) > 0n ? BigInt(highest.closing) : 1n;
  const step = CHART_WIDTH / data.length;
  const levels = data.map(({ closing }) => CHART_HEIGHT - Number((BigInt(closing) * BigInt(CHART_HEIGHT)) / most));
  const line = levels
    .map((y, index) => `${index === 0 ? "M" : "L"}${index * step},${y}H${(index + 1) * step}`)
    .join("");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-ink-soft">
        <LevelText word={texts("wallet.highest")} level={highest} currency={currency} />
        <LevelText word={texts("wallet.lowest")} level={lowest} currency={currency} />
      </p>
      <DayFrame
        title={title}
        from={data[0]?.day ?? ""}
        to={data.at(-1)?.day ?? ""}
        zone={zone}
        columns={[texts("wallet.change"), texts("wallet.closeCurrency", { currency })]}
        rows={data.map(({ day, change, closing }) => ({
          day,
          cells: [signedText(texts, change, currency), formatAmount(texts, closing, currency)],
        }))}
      >
        <path d={`${line}V${CHART_HEIGHT}H0Z`} className="fill-accent opacity-15" />
        <path d={line} className="fill-none stroke-accent" strokeWidth="2" vectorEffect="non-scaling-stroke" />
        {data.map(({ day, closing }, index) => (
          <rect key={day} x={index * step} y="0" width={step} height={CHART_HEIGHT} className="fill-transparent">
            <title>{daySumText(texts, day, closing, currency)}</title>
          </rect>
        ))}
      </DayFrame>
    </div>
  );
}

interface LevelTextProps {
  readonly word: string;
  readonly level: Level;
  readonly currency: string;
}

function LevelText({ word, level: { day, closing }, currency }: LevelTextProps) {
  const texts = useTexts();
  return (
    <span>
      {texts.rich("wallet.extreme", {
        word,
        span: (words) => <span className="figures font-medium text-ink">{words}</span>,
        amount: formatAmount(texts, closing, currency),
        span2: (words) => <span className="figures">{words}</span>,
        day,
      })}
    </span>
  );
}
