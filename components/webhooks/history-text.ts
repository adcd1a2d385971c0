// The stretches of an endpoint's history in words.
import { STRETCH_COUNTED, STRETCH_HOURS } from "@/server/domain/endpoint-condition";
import { wallClock } from "@/server/domain/wall-clock";
import type { PresentedStretch } from "@/server/trpc/present/endpoint-health";
import type { Texts } from "../i18n/dashboard-texts";
import { zonedText } from "../time/instant-text";
import { durationText, rateText } from "./health-text";

const STRETCH_MS = STRETCH_HOURS * 3_600_000;

const pad = (value: number) => String(value).padStart(2, "0");

function timeText(instant: number, zone: string): string {
  const { hour, minute } = wallClock(instant, zone);
  return `${pad(hour)}:${pad(minute)}`;
}

/** "21 Nov 2026, 09:00 GMT-3 – 15:00". */
export function stretchText(texts: Texts, from: string, zone: string): string {
  return `${zonedText(texts, from, zone)} – ${timeText(Date.parse(from) + STRETCH_MS, zone)}`;
}

/** "212", or "200+" where counting stopped. */
export function countText(texts: Texts, count: number): string {
  return count >= STRETCH_COUNTED ? `${texts.number(STRETCH_COUNTED)}+` : texts.number(count);
}

/** How the attempts of a stretch fared, in one line. */
export function outcomeText(texts: Texts, stretch: PresentedStretch): string {
  const { attempts, median_ms: median, slow_ms: slow } = stretch;
  const rate = rateText(texts, stretch);
  if (rate === null) return texts("webhooks.nothingSentThen");
  const accepted = texts("webhooks.acceptedOfCount", { rate, count: countText(texts, attempts) });
  const times =
    median === null || slow === null
      ? texts("webhooks.noAnswerThen")
      : texts("webhooks.medianAndSlow", { median: durationText(texts, median), slow: durationText(texts, slow) });
  return `${accepted}, ${times}`;
}

/** The end of an axis of times: 1, 2 or 5 and zeros, at least 10 ms, and not below the longest. */
export function axisEnd(longestMs: number): number {
  let unit = 10;
  for (;;) {
    for (const factor of [1, 2, 5]) if (unit * factor >= longestMs) return unit * factor;
    unit *= 10;
  }
}
