// Outcomes and latencies of calls to providers, and the states of their breakers.
import { now } from "@/server/platform/clock";
import { counter, durations, sampled } from "@/server/platform/metrics/instruments";
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

type Call<Given extends unknown[], Result> = (...given: Given) => Promise<Result>;

/** Returns the gateway with each of its calls measured. */
export function measured(gateway: Gateway): Gateway {
  function measure<Given extends unknown[], Result>(call: string, run: Call<Given, Result>): Call<Given, Result> {
    return async (...given) => {
      const startedAt = performance.now();
      let outcome = "failed";
      try {
        const result = await run.apply(gateway, given);
        outcome = outcomeOf(result);
        return result;
      } finally {
        countCall({ provider: gateway.name, call, outcome });
        timeCall({ provider: gateway.name, call }, performance.now() - startedAt);
      }
    };
  }

  return {
    ...gateway,
    quoteTopup: measure("quote_topup", gateway.quoteTopup),
    createPayment: measure("create_payment", gateway.createPayment),
    queryPayment: measure("query_payment", gateway.queryPayment),
    cancelPayment: gateway.cancelPayment && measure("cancel_payment", gateway.cancelPayment),
    createPayout: measure("create_payout", gateway.createPayout),
    queryPayout: measure("query_payout", gateway.queryPayout),
    createTopup: measure("create_topup", gateway.createTopup),
    queryTopup: measure("query_topup", gateway.queryTopup),
    cancelTopup: gateway.cancelTopup && measure("cancel_topup", gateway.cancelTopup),
  };
}
