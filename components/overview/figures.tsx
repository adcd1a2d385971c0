// Volume by day in one currency, success rates with their counts, and failure codes.
"use client";
import type { inferRouterOutputs } from "@trpc/server";
import type { FigureKind } from "@/server/domain/figures";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import type { ListAddress } from "../lists/use-list-address";
import { formatAmount } from "../money/format-amount";
import { AsOf } from "../time/as-of";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { changeText, percentText } from "./change-text";
import { DayChart } from "./day-chart";

type Data = inferRouterOutputs<AppRouter>["overview"]["figures"];

const collectedIn = (texts: Texts): Readonly<Record<FigureKind, string>> => ({
  payment_intent: texts("overview.paymentsCollected"),
  payout_intent: texts("overview.payoutsSent"),
});
const nounsIn = (texts: Texts): Readonly<Record<FigureKind, string>> => ({
  payment_intent: texts("overview.payments"),
  payout_intent: texts("overview.payouts"),
});
const KINDS: readonly FigureKind[] = ["payment_intent", "payout_intent"];

interface FiguresProps {
  readonly data: Data;
  readonly address: ListAddress;
}

export function Figures({ data, address }: FiguresProps) {
  const texts = useTexts();
  const currencies = [...new Set(data.volumes.map(({ currency }) => currency))];
  const currency = currencies.find((one) => one === address.filters.currency) ?? currencies[0];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {data.is_behind ? <Notice tone="plain">{texts("overview.catchingUp")}</Notice> : null}
      <AsOf iso={data.as_of} />
      {currencies.length > 1 ? (
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">{texts("overview.currency")}</legend>
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

function countText(texts: Texts, kind: FigureKind, count: number): string {
  return texts(kind === "payment_intent" ? "overview.countedPayments" : "overview.countedPayouts", { count });
}

interface VolumePanelProps {
  readonly kind: FigureKind;
  readonly currency: string | undefined;
  readonly data: Data;
}

function VolumePanel({ kind, currency, data }: VolumePanelProps) {
  const texts = useTexts();
  const volume = data.volumes.find((one) => one.kind === kind && one.currency === currency);
  const change = volume ? changeText(texts, volume.amount, volume.amount_before) : null;
  return (
    <Panel className="grid content-start gap-3">
      <h3 className="text-base">{collectedIn(texts)[kind]}</h3>
      {volume && currency ? (
        <>
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="figures text-xl font-semibold wrap-anywhere">
              {formatAmount(texts, volume.amount, currency)} <span className="text-base font-medium">{currency}</span>
            </span>
            <span className="text-sm text-ink-soft">
              {countText(texts, kind, volume.count)}
              {change === null ? "" : `, ${change}`}
            </span>
          </p>
          <DayChart title={`${collectedIn(texts)[kind]}, ${currency}`} volume={volume} figures={data} />
        </>
      ) : (
        <p className="text-sm text-ink-soft">
          {currency ? texts("overview.noneSucceededIn", { currency }) : texts("overview.noneSucceeded")}
        </p>
      )}
    </Panel>
  );
}

function RatesPanel({ data }: { readonly data: Data }) {
  const texts = useTexts();
  return (
    <Panel className="grid content-start gap-3">
      <h3 className="text-base">{texts("overview.successRate")}</h3>
      <dl className="grid gap-3">
        {data.rates.map((rate) => {
          const before = percentText(texts, rate.succeeded_before, rate.ended_before);
          return (
            <div key={rate.kind} className="grid gap-0.5 border-t border-line pt-3 first:border-t-0 first:pt-0">
              <dt className="text-sm text-ink-soft">{nounsIn(texts)[rate.kind]}</dt>
              <dd className="figures flex flex-wrap items-baseline gap-x-3">
                <span className="text-xl font-semibold">{percentText(texts, rate.succeeded, rate.ended) ?? "–"}</span>
                <span className="text-sm text-ink-soft">
                  {rate.ended === 0
                    ? texts("overview.noneEnded")
                    : texts("overview.succeededOfEnded", {
                        succeeded: texts.number(rate.succeeded),
                        ended: texts.number(rate.ended),
                      })}
                  {before === null ? "" : texts("overview.beforeBefore", { before })}
                </span>
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="caption">{texts("overview.cancelledLeftOut")}</p>
    </Panel>
  );
}

function FailuresPanel({ data }: { readonly data: Data }) {
  const texts = useTexts();
  const most = data.failures[0]?.count ?? 1;
  return (
    <Panel className="grid content-start gap-3">
      <h3 className="text-base">{texts("overview.failureReasons")}</h3>
      {data.failures.length === 0 ? (
        <p className="text-sm text-ink-soft">{texts("overview.nothingFailed")}</p>
      ) : (
        <table className="figures w-full text-sm">
          <caption className="sr-only">{texts("overview.failureCodes")}</caption>
          <thead className="sr-only">
            <tr>
              <th scope="col">{texts("overview.code")}</th>
              <th scope="col">{texts("overview.of")}</th>
              <th scope="col">{texts("overview.number")}</th>
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
                <td className="px-3 py-2 text-ink-soft">{nounsIn(texts)[kind]}</td>
                <td className="py-2 pl-3 text-right font-medium">{texts.number(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
