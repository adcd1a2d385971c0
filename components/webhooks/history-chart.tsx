// The share of accepted attempts and the times of answers, with axes. A pointer over them, or the slider, reads one stretch.
"use client";
import { type PointerEvent, type ReactNode, useState } from "react";
import { wallClock } from "@/server/domain/wall-clock";
import type { PresentedStretch } from "@/server/trpc/present/endpoint-health";
import { useTexts } from "../i18n/use-texts";
import { dayText } from "../time/instant-text";
import { durationText } from "./health-text";
import { axisEnd, outcomeText, stretchText } from "./history-text";

/** Units of the shapes: of a stretch's width, and of the height of a plot. */
const STEP = 10;
const HEIGHT = 100;

interface HistoryChartProps {
  /** The oldest first; at least one. */
  readonly stretches: readonly PresentedStretch[];
  /** The IANA name of the reader's zone. */
  readonly zone: string;
}

export function HistoryChart({ stretches, zone }: HistoryChartProps) {
  const texts = useTexts();
  const last = stretches.length - 1;
  const [chosen, setChosen] = useState<number | null>(null);
  const index = Math.min(chosen ?? last, last);
  const stretch = stretches[index];
  if (!stretch) return null;
  const reading = `${stretchText(texts, stretch.from, zone)}: ${outcomeText(texts, stretch)}`;
  const end = axisEnd(Math.max(0, ...stretches.map(({ slow_ms: slow }) => slow ?? 0)));

  function onPointer({ clientX, currentTarget }: PointerEvent<HTMLElement>): void {
    const { left, width } = currentTarget.getBoundingClientRect();
    setChosen(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * stretches.length))));
  }

  const plot = { count: stretches.length, index, onPointer };
  return (
    <>
      <p className="figures min-h-10 text-sm sm:min-h-5" aria-hidden="true">
        {reading}
      </p>
      <div className="grid grid-cols-[3.25rem_minmax(0,1fr)] gap-x-2 gap-y-3">
        <Plot {...plot} title={texts("webhooks.accepted")} marks={SHARES}>
          {stretches.map(({ from, attempts, accepted }, at) => (
            <Share key={from} at={at} share={attempts === 0 ? null : accepted / attempts} />
          ))}
        </Plot>
        <Plot
          {...plot}
          title={texts("webhooks.responseTime")}
          marks={[end, end / 2, 0].map((ms) => durationText(texts, ms))}
        >
          <Line values={stretches.map(({ slow_ms: slow }) => slow)} end={end} className="stroke-ink-soft" isDashed />
          <Line values={stretches.map(({ median_ms: median }) => median)} end={end} className="stroke-accent" />
        </Plot>
        <span />
        <Days stretches={stretches} zone={zone} />
        <span />
        <input
          type="range"
          min={0}
          max={last}
          value={index}
          aria-label={texts("webhooks.historyChart")}
          aria-valuetext={reading}
          onChange={(event) => setChosen(Number(event.target.value))}
          className={SLIDER}
        />
      </div>
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-ink-soft" aria-hidden="true">
        <Key className="border-accent" label={texts("webhooks.median")} />
        <Key className="border-dashed border-ink-soft" label={texts("webhooks.slow")} />
      </p>
    </>
  );
}

/** A thin line with a knob: what is left of it means nothing. */
const SLIDER =
  "h-6 w-full appearance-none bg-transparent [&::-moz-range-thumb]:size-4 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-accent [&::-moz-range-track]:h-1 [&::-moz-range-track]:rounded-full [&::-moz-range-track]:bg-line-strong [&::-webkit-slider-runnable-track]:h-1 [&::-webkit-slider-runnable-track]:rounded-full [&::-webkit-slider-runnable-track]:bg-line-strong [&::-webkit-slider-thumb]:-mt-1.5 [&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-accent";
/** From here on a label would not fit beside its line on a phone. */
const LAST_LABEL = 0.85;
const SHARES = ["100%", "50%", "0%"];

interface PlotProps {
  readonly title: string;
  /** The axis, from its top. */
  readonly marks: readonly string[];
  readonly count: number;
  /** The stretch that is read. */
  readonly index: number;
  readonly onPointer: (event: PointerEvent<HTMLElement>) => void;
  /** The shapes. */
  readonly children: ReactNode;
}

function Plot({ title, marks, count, index, onPointer, children }: PlotProps) {
  return (
    <>
      <p className="col-span-2 text-xs text-ink-soft">{title}</p>
      <div className="figures -my-2 flex flex-col justify-between text-right text-xs text-ink-soft" aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </div>
      <div onPointerMove={onPointer} onPointerDown={onPointer} className="h-20 touch-pan-y">
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${count * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="size-full overflow-visible"
        >
          <rect x={index * STEP} width={STEP} height={HEIGHT} className="fill-accent-soft" />
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              x2={count * STEP}
              y1={share * HEIGHT}
              y2={share * HEIGHT}
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {children}
        </svg>
      </div>
    </>
  );
}

/** A bar of accepted attempts, and above it those that were not; none where nothing was sent. */
function Share({ at, share }: { readonly at: number; readonly share: number | null }) {
  if (share === null) return null;
  const place = { x: at * STEP + 1.5, width: STEP - 3 };
  return (
    <>
      <rect {...place} y={HEIGHT * (1 - share)} height={HEIGHT * share} className="fill-good" />
      <rect {...place} y={0} height={HEIGHT * (1 - share)} className="fill-bad" />
    </>
  );
}

interface LineProps {
  readonly values: readonly (number | null)[];
  readonly end: number;
  readonly className: string;
  readonly isDashed?: boolean;
}

/** A level for every stretch with answers, joined where they follow each other. */
function Line({ values, end, className, isDashed }: LineProps) {
  const path = values
    .map((value, at) => {
      if (value === null) return "";
      const y = HEIGHT * (1 - value / end);
      const isJoined = at > 0 && values[at - 1] !== null;
      return `${isJoined ? "L" : "M"}${at * STEP},${y}H${(at + 1) * STEP}`;
    })
    .join("");
  return (
    <path
      d={path}
      className={`fill-none ${className}`}
      strokeWidth="2"
      strokeDasharray={isDashed ? "4 3" : undefined}
      vectorEffect="non-scaling-stroke"
    />
  );
}

/** The days of the reader, each where its first stretch begins. */
function Days({ stretches, zone }: HistoryChartProps) {
  const texts = useTexts();
  const dayOf = (from: string) => wallClock(Date.parse(from), zone).day;
  const starts = stretches.flatMap(({ from }, at) => {
    const before = stretches[at - 1];
    return before && dayOf(before.from) !== dayOf(from) ? [{ from, at }] : [];
  });
  return (
    <div className="figures relative h-4 text-xs text-ink-soft" aria-hidden="true">
      {starts.map(({ from, at }) => (
        <span
          key={from}
          style={placeOf(at / stretches.length)}
          className="absolute whitespace-nowrap max-sm:even:hidden"
        >
          {dayText(texts, from, zone)}
        </span>
      ))}
    </div>
  );
}

/** Where a label begins; near the end of the axis it ends with the axis. */
function placeOf(share: number) {
  return share > LAST_LABEL ? { right: 0 } : { left: `${share * 100}%` };
}

function Key({ className, label }: { readonly className: string; readonly label: string }) {
  return (
    <span className="flex items-center gap-2">
      <span className={`w-5 border-t-2 ${className}`} />
      {label}
    </span>
  );
}
