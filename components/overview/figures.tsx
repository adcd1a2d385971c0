// Volume by day in one currency, success rates with their counts, and failure codes.
"use client";
import type { inferRouterOutputs } from "@trpc/server";
import type { FigureKind } from "@/server/domain/figures";
import type { AppRouter } from "@/server/trpc/router";
import type { ListAddress } from "../lists/use-list-address";
import { formatAmount } from "../money/format-amount";
import { AsOf } from "../time/as-of";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { changeText, percentText } from "./change-text";
import { DayChart } from "./day-chart";

type Data = inferRouterOutputs<AppRouter>["overview"]["figures"];

const COLLECTED: Readonly<Record<FigureKind, string>> = {
  payment_intent: "Payments collected",
  payout_intent: "Payouts sent",
};
const NOUNS: Readonly<Record<FigureKind, string>> = { payment_intent: "Payments", payout_intent: "Payouts" };
const KINDS: readonly FigureKind[] = ["payment_intent", "payout_intent"];

interface FiguresProps {
  readonly data: Data;
  readonly address: ListAddress;
}

export function Figures({ data, address }: FiguresProps) {
  const currencies = [...new Set(data.volumes.map(({ currency }) => currency))];
  const currency = currencies.find((one) => one === address.filters.currency) ?? currencies[0];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {data.is_behind ? (
        <Notice tone="plain">
          The newest payments and payouts are not all counted here yet: the service is catching up with them.
        </Notice>
      ) : null}
      <AsOf iso={data.as_of} />
      {currencies.length > 1 ? (
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">Currency</legend>
          {currencies.map((one) => (
            <Button
              key={one}
              size="small"
              tone={one === currency ? "primary" : "secondary"}
              aria-pressed={one === currency}
              onClick={() => address.setFilter("currency", one)}
            >
              {one}
            </Button>
          ))}
        </fieldset>
      ) : null}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-2">
        {KINDS.map((kind) => (
          <VolumePanel key={kind} kind={kind} currency={currency} data={data} />
        ))}
        <RatesPanel data={data} />
        <FailuresPanel data={data} />
      </div>
    </div>
  );
}

function countNoun(kind: FigureKind, count: number): string {
  const noun = NOUNS[kind].toLowerCase();
  return count === 1 ? noun.slice(0, -1) : noun;
}

interface VolumePanelProps {
  readonly kind: FigureKind;
  readonly currency: string | undefined;
  readonly data: Data;
}

function VolumePanel({ kind, currency, data }: VolumePanelProps) {
  const volume = data.volumes.find((one) => one.kind === kind && one.currency === currency);
  const change = volume ? changeText(volume.amount, volume.amount_before) : null;
  return (
    <Panel className="grid content-start gap-3">
      <h3 className="text-base">{COLLECTED[kind]}</h3>
      {volume && currency ? (
        <>
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="figures text-xl font-semibold wrap-anywhere">
              {formatAmount(volume.amount, currency)} <span className="text-base font-medium">{currency}</span>
            </span>
            <span className="text-sm text-ink-soft">
              {volume.count.toLocaleString("en")} {countNoun(kind, volume.count)}
              {change === null ? "" : `, ${change}`}
            </span>
          </p>
          <DayChart title={`${COLLECTED[kind]}, ${currency}`} volume={volume} figures={data} />
        </>
      ) : (
        <p className="text-sm text-ink-soft">None succeeded in this time{currency ? ` in ${currency}` : ""}.</p>
      )}
    </Panel>
  );
}

function RatesPanel({ data }: { readonly data: Data }) {
  return (
    <Panel className="grid content-start gap-3">
      <h3 className="text-base">Success rate</h3>
      <dl className="grid gap-3">
        {data.rates.map((rate) => {
          const before = percentText(rate.succeeded_before, rate.ended_before);
          return (
            <div key={rate.kind} className="grid gap-0.5 border-t border-line pt-3 first:border-t-0 first:pt-0">
              <dt className="text-sm text-ink-soft">{NOUNS[rate.kind]}</dt>
              <dd className="figures flex flex-wrap items-baseline gap-x-3">
                <span className="text-xl font-semibold">{percentText(rate.succeeded, rate.ended) ?? "–"}</span>
                <span className="text-sm text-ink-soft">
                  {rate.ended === 0
                    ? "none ended in this time"
                    : `${rate.succeeded.toLocaleString("en")} of ${rate.ended.toLocaleString("en")} that ended`}
                  {before === null ? "" : `; ${before} before`}
                </span>
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="caption">Payouts that a person cancelled are left out.</p>
    </Panel>
  );
}

function FailuresPanel({ data }: { readonly data: Data }) {
  const most = data.failures[0]?.count ?? 1;
  return (
    <Panel className="grid content-start gap-3">
      <h3 className="text-base">Failure reasons</h3>
      {data.failures.length === 0 ? (
        <p className="text-sm text-ink-soft">Nothing failed in this time.</p>
      ) : (
        <table className="figures w-full text-sm">
          <caption className="sr-only">Failure codes, the most frequent first</caption>
          <thead className="sr-only">
            <tr>
              <th scope="col">Code</th>
              <th scope="col">Of</th>
              <th scope="col">Number</th>
            </tr>
          </thead>
          <tbody>
            {data.failures.map(({ kind, code, count }) => (
              <tr key={`${kind} ${code}`} className="border-t border-line first:border-t-0">
                <td className="py-2 pr-3">
                  <span className="block font-mono text-xs wrap-anywhere">{code}</span>
                  <svg aria-hidden="true" className="mt-1 h-1 w-full rounded-full bg-sunken">
                    <rect width={`${((count / most) * 100).toFixed(1)}%`} height="100%" className="fill-bad" />
                  </svg>
                </td>
                <td className="px-3 py-2 text-ink-soft">{NOUNS[kind]}</td>
                <td className="py-2 pl-3 text-right font-medium">{count.toLocaleString("en")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
