// Outcomes, latencies and spans of calls to providers, and the states of their breakers.
import { now } from "@/server/platform/clock";
import { counter, durations, sampled } from "@/server/platform/metrics/instruments";
import { traced } from "@/server/platform/tracing/tracing";
import { breakerStates } from "./breakers";
import type { Gateway } from "./gateway";

const countCall = counter({
  name: "sluice_provider_calls_total",
  help: "Calls to providers by outcome. unknown: no usable answer. not_sent: no connection.",
  labelNames: ["provider", "call", "outcome"],
});

const timeCall = durations({
  name: "sluice_provider_call_duration_seconds",
  help: "Duration of calls to providers, until the answer or the deadline.",
  labelNames: ["provider", "call"],
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
});

sampled(
  {
    name: "sluice_provider_breaker_open",
    help: "1 while this process sends no new work to the provider's channel, 0 otherwise.",
    labelNames: ["provider", "channel"],
  },
  () =>
    breakerStates(now().getTime()).map(({ provider, channel, state }) => ({
      labels: { provider, channel },
      value: state === "open" ? 1 : 0,
    })),
);

/** The kind of the newest outcome; of a quote, whether there is an offer. */
function outcomeOf(result: unknown): string {
  const newest: unknown = Array.isArray(result) ? result.at(-1) : result;
  if (newest === null || newest === undefined) return "nothing";
  return (newest as { readonly kind?: string }).kind ?? "offer";
}

/** The calls that are measured, with their label. */
const CALLS = {
  quoteTopup: "quote_topup",
  createPayment: "create_payment",
  queryPayment: "query_payment",
  cancelPayment: "cancel_payment",
  createPayout: "create_payout",
  queryPayout: "query_payout",
  createTopup: "create_topup",
  queryTopup: "query_topup",
  cancelTopup: "cancel_topup",
  createRefund: "create_refund",
  queryRefund: "query_refund",
} as const satisfies Partial<Record<keyof Gateway, string>>;

type CallName = keyof typeof CALLS;

/** Outcomes that are no answer of the provider. */
const FAULTS: ReadonlySet<string> = new Set(["unknown", "not_sent"]);

/** Makes a call as a span. */
function tracedCall(provider: string, call: string, make: () => Promise<unknown>): Promise<unknown> {
  const attributes = { "sluice.provider": provider, "sluice.provider_call": call };
  return traced(
    () => ({ name: `provider ${call}`, kind: "client", attributes }),
    make,
    (result) => {
      const outcome = outcomeOf(result);
      return { attributes: { "sluice.outcome": outcome }, error: FAULTS.has(outcome) ? outcome : undefined };
    },
  );
}

/** Returns the gateway with each of its calls measured and traced. */
export function measured(gateway: Gateway): Gateway {
  const measure =
    (name: CallName) =>
    async (...given: unknown[]): Promise<unknown> => {
      const labels = { provider: gateway.name, call: CALLS[name] };
      const run = gateway[name] as (...given: unknown[]) => Promise<unknown>;
      const startedAt = performance.now();
      let outcome = "failed";
      try {
        const result = await tracedCall(gateway.name, CALLS[name], () => run.apply(gateway, given));
        outcome = outcomeOf(result);
        return result;
      } finally {
        countCall({ ...labels, outcome });
        timeCall(labels, performance.now() - startedAt);
      }
    };
  const offered = (Object.keys(CALLS) as CallName[]).filter((name) => gateway[name] !== undefined);
  return { ...gateway, ...Object.fromEntries(offered.map((name) => [name, measure(name)])) };
}
