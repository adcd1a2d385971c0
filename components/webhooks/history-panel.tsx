// How an endpoint fared over the last days: the chart, and the same figures as a table. Loaded on demand.
"use client";
import { useQuery } from "@tanstack/react-query";
import { STRETCH_COUNTED } from "@/server/domain/endpoint-condition";
import type { PresentedStretch } from "@/server/trpc/present/endpoint-health";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useReaderTimeZone } from "../time/time-zone";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Notice } from "../ui/notice";
import { durationText, rateText } from "./health-text";
import { HistoryChart } from "./history-chart";
import { HistoryFrame } from "./history-frame";
import { countText, stretchText } from "./history-text";

const ASK_EVERY_MS = 60_000;

export default function HistoryPanel({ id }: { readonly id: string }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const zone = useReaderTimeZone();
  const { data, error } = useQuery({
    ...trpc.webhookEndpoints.history.queryOptions({ environment, id }, BACKGROUND),
    refetchInterval: ASK_EVERY_MS,
  });
  if (error && !data) return <Notice tone="bad">{failureOf(texts, error).message}</Notice>;
  if (!data || zone === null) return <HistoryFrame />;
  return (
    <HistoryFrame table={<HistoryTable stretches={data} zone={zone} />}>
      <HistoryChart stretches={data} zone={zone} />
      <p className="caption">{texts("webhooks.historyHint", { most: texts.number(STRETCH_COUNTED) })}</p>
    </HistoryFrame>
  );
}

interface HistoryTableProps {
  readonly stretches: readonly PresentedStretch[];
  readonly zone: string;
}

/** The newest stretch first; those without an attempt are left out. */
function HistoryTable({ stretches, zone }: HistoryTableProps) {
  const texts = useTexts();
  const time = (ms: number | null) => (ms === null ? "–" : durationText(texts, ms));
  const headings = [
    texts("webhooks.attempts"),
    texts("webhooks.accepted"),
    texts("webhooks.median"),
    texts("webhooks.slow"),
  ];
  return (
    <details>
      <summary className="w-fit rounded-sm text-xs font-medium text-accent">
        {texts("webhooks.figuresByStretch")}
      </summary>
      <table className="figures mt-2 w-full text-sm">
        <caption className="sr-only">{texts("webhooks.historyChart")}</caption>
        <thead>
          <tr className="text-xs text-ink-soft">
            <th scope="col" className="py-1 text-left font-medium">
              {texts("webhooks.begins")}
            </th>
            {headings.map((heading) => (
              <th key={heading} scope="col" className="py-1 pl-3 text-right font-medium">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {stretches
            .filter(({ attempts }) => attempts > 0)
            .toReversed()
            .map((stretch) => (
              <tr key={stretch.from} className="border-t border-line">
                <th scope="row" className="py-1 text-left font-normal">
                  {stretchText(texts, stretch.from, zone)}
                </th>
                <td className="py-1 pl-3 text-right">{countText(texts, stretch.attempts)}</td>
                <td className="py-1 pl-3 text-right">{rateText(texts, stretch)}</td>
                <td className="py-1 pl-3 text-right">{time(stretch.median_ms)}</td>
                <td className="py-1 pl-3 text-right">{time(stretch.slow_ms)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </details>
  );
}
