// Whether and how spans are exported. The variables are OpenTelemetry's own; its exporter reads the rest of them itself.
import { isLoopback } from "../transport";
import { parseUrl } from "../url";

export interface TracingSetting {
  /** Of all traces, the share that is exported, from 0 to 1. */
  readonly ratio: number;
}

const SAMPLERS = ["always_on", "always_off", "traceidratio"] as const;
/** A trace is sampled by its id in every process, so a parent's decision is the same one. */
const PARENT_BASED = /^parentbased_/;
const PROTOCOL = "http/protobuf";
const ADDRESSES = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"] as const;
const HEADERS = ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"] as const;
const PROTOCOLS = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"] as const;

/** Reads a variable; null if it is not set. */
type Read = (name: string) => string | null;

interface Result {
  readonly setting: TracingSetting | null;
  readonly faults: readonly string[];
}

function isWanted(read: Read): boolean {
  if (read("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return false;
  const exporter = read("OTEL_TRACES_EXPORTER");
  return exporter === null ? ADDRESSES.some((name) => read(name) !== null) : exporter !== "none";
}

function ratioOf(read: Read, faults: string[]): number {
  const sampler = (read("OTEL_TRACES_SAMPLER") ?? "always_on").replace(PARENT_BASED, "");
  const known = SAMPLERS.find((name) => name === sampler);
  if (!known) {
    faults.push(`OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(", ")}, or one of them after parentbased_`);
    return 1;
  }
  if (known !== "traceidratio") return known === "always_on" ? 1 : 0;
  const text = read("OTEL_TRACES_SAMPLER_ARG");
  const ratio = text === null ? 1 : /^(?:0|1|[01]?\.\d{1,9})$/.test(text) ? Number(text) : Number.NaN;
  if (ratio >= 0 && ratio <= 1) return ratio;
  faults.push("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, such as 0.1");
  return 1;
}

/** Headers usually carry the key of the backend. */
function addressFaults(read: Read, allowInsecure: boolean): string[] {
  const hasHeaders = HEADERS.some((name) => read(name) !== null);
  return ADDRESSES.flatMap((name) => {
    const text = read(name);
    if (text === null) return [];
    const url = parseUrl(text);
    if (!url || !/^https?:$/.test(url.protocol)) return [`${name} must be an address such as http://localhost:4318`];
    const isOpen = url.protocol === "http:" && !isLoopback(url.hostname) && !allowInsecure;
    if (!isOpen || !hasHeaders) return [];
    return [`${name} must be https outside this machine, because OTEL_EXPORTER_OTLP_HEADERS may carry a key`];
  });
}

/** Returns the setting; null if nothing is exported. Faults name variables, never values. */
export function tracingSetting(read: Read, allowInsecure: boolean): Result {
  if (!isWanted(read)) return { setting: null, faults: [] };
  const faults: string[] = [];
  if ((read("OTEL_TRACES_EXPORTER") ?? "otlp") !== "otlp") faults.push("OTEL_TRACES_EXPORTER must be otlp or none");
  for (const name of PROTOCOLS)
    if ((read(name) ?? PROTOCOL) !== PROTOCOL) faults.push(`${name} must be ${PROTOCOL}; omit it for that`);
  faults.push(...addressFaults(read, allowInsecure));
  const ratio = ratioOf(read, faults);
  return { setting: { ratio }, faults };
}
