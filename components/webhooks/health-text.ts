// The health of an endpoint in words.

import { ATTEMPTS_COUNTED, COUNTED_HOURS, WAITING_COUNTED } from "@/server/domain/endpoint-condition";
import { localSum } from "@/server/domain/local-sum";
import type { Texts } from "../i18n/dashboard-texts";
import { percentText } from "../overview/change-text";

interface Counted {
  readonly attempts: number;
  readonly accepted: number;
}

/** "97.5%"; null if nothing was sent. */
export function rateText(texts: Texts, { attempts, accepted }: Counted): string | null {
  return percentText(texts, accepted, attempts);
}

/** "of 212 in 24 hours", or that only the newest of them are counted. */
export function baseText(texts: Texts, { attempts }: Counted): string {
  if (attempts === 0) return texts("webhooks.nothingSentInHours", { countedHours: COUNTED_HOURS });
  const count = texts.number(attempts);
  return attempts >= ATTEMPTS_COUNTED
    ? texts("webhooks.ofTheNewestCount", { count })
    : texts("webhooks.ofCountInHours", { count, countedHours: COUNTED_HOURS });
}

/** A time that an answer took: "45 ms", "1.2 s". */
export function durationText(texts: Texts, ms: number): string {
  return ms < 1_000
    ? texts("webhooks.milliseconds", { ms })
    : texts("webhooks.seconds", { seconds: localSum(texts.language, (ms / 1_000).toFixed(1)) });
}

/** "3", or "1,000+" where counting stopped. */
export function waitingText(texts: Texts, count: number): string {
  return count >= WAITING_COUNTED ? `${texts.number(WAITING_COUNTED)}+` : String(count);
}

const errorsIn = (texts: Texts): Readonly<Record<string, string>> => ({
  timeout: texts("webhooks.noAnswerInTime"),
  dns: texts("webhooks.hostNameNotFound"),
  refused_address: texts("webhooks.addressNotAllowed"),
  tls: texts("webhooks.certificateError"),
  connection: texts("webhooks.noConnection"),
  too_large: texts("webhooks.headersTooLarge"),
});

/** The answer to an attempt: "HTTP 500", "no connection". */
export function answerText(texts: Texts, status: number | null, error: string | null): string {
  if (error !== null) return errorsIn(texts)[error] ?? error;
  return status === null ? texts("webhooks.noAnswer") : texts("webhooks.httpStatus", { status });
}
