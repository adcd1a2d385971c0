// The frame of a chart by day: its name, its first and last day, and the same figures as a table.

import type { ReactNode } from "react";
import { useTexts } from "../i18n/use-texts";

/** Units of the shapes, with the baseline at the bottom. */
export const CHART_WIDTH = 600;
export const CHART_HEIGHT = 120;

interface DayRow {
  /** For example 2026-11-21. */
  readonly day: string;
  readonly cells: readonly string[];
}

interface DayFrameProps {
  /** What the chart shows: "Payments collected, BRL". */
  readonly title: string;
  readonly from: string;
  readonly to: string;
  /** The IANA name of the zone of the days. */
  readonly zone: string;
  /** The headings of the table's columns after the day. */
  readonly columns: readonly string[];
  /** Ordered by day; the table shows the newest first. */
  readonly rows: readonly DayRow[];
  /** The shapes. */
  readonly children: ReactNode;
}

export function DayFrame({ title, from, to, zone, columns, rows, children }: DayFrameProps) {
  const texts = useTexts();
  const zoneName = zone.replaceAll("_", " ");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <svg
        role="img"
        aria-label={texts("common.chartLabel", { title, from, to })}
        viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        className="h-32 w-full overflow-visible"
      >
        <line
          x1="0"
          x2={CHART_WIDTH}
          y1={CHART_HEIGHT}
          y2={CHART_HEIGHT}
          className="stroke-line-strong"
          vectorEffect="non-scaling-stroke"
        />
        {children}
      </svg>
      <p className="figures flex justify-between gap-3 text-xs text-ink-soft">
        <span>{from}</span>
        <span className="text-right">
          {to}, {zoneName}
        </span>
      </p>
      <details>
        <summary className="w-fit rounded-sm text-xs font-medium text-accent">{texts("common.figuresByDay")}</summary>
        <table className="figures mt-2 w-full text-sm">
          <caption className="sr-only">{texts("common.titleByDay", { title })}</caption>
          <thead>
            <tr className="text-xs text-ink-soft">
              <th scope="col" className="py-1 text-left font-medium">
                {texts("common.dayZoneName", { zoneName })}
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" className="py-1 pl-3 text-right font-medium">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.toReversed().map(({ day, cells }) => (
              <tr key={day} className="border-t border-line">
                <th scope="row" className="py-1 text-left font-normal">
                  {day}
                </th>
                {cells.map((cell, index) => (
                  <td key={columns[index]} className="py-1 pl-3 text-right">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}
