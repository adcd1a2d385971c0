// The health of an endpoint in words.
import { ATTEMPTS_COUNTED, COUNTED_HOURS, WAITING_COUNTED } from "@/server/domain/endpoint-condition";
import { percentText } from "../overview/change-text";

interface Counted {
  readonly attempts: number;
  readonly accepted: number;
}

/** "97.5%"; null if nothing was sent. */
export function rateText({ attempts, accepted }: Counted): string | null {
  return percentText(accepted, attempts);
}

/** "of 212 in 24 hours", or that only the newest of them are counted. */
export function baseText({ attempts }: Counted): string {
  if (attempts === 0) return `nothing sent in ${COUNTED_HOURS} hours`;
  const count = attempts.toLocaleString("en");
  return attempts >= ATTEMPTS_COUNTED ? `of the newest ${count}` : `of ${count} in ${COUNTED_HOURS} hours`;
}

/** A time that an answer took: "45 ms", "1.2 s". */
export function durationText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** "3", or "1,000+" where counting stopped. */
export function waitingText(count: number): string {
  return count >= WAITING_COUNTED ? `${WAITING_COUNTED.toLocaleString("en")}+` : String(count);
}

const ERRORS: Readonly<Record<string, string>> = {
  timeout: "no answer in time",
  dns: "host name not found",
  refused_address: "address not allowed",
  tls: "certificate or TLS error",
  connection: "no connection",
  too_large: "headers too large",
};

/** The answer to an attempt: "HTTP 500", "no connection". */
export function answerText(status: number | null, error: string | null): string {
  if (error !== null) return ERRORS[error] ?? error;
  return status === null ? "no answer" : `HTTP ${status}`;
}
