import { expect, it } from "vitest";
import { openBreakersIn, readOpenBreakers } from "./open-breakers";

it("reads each open breaker once, of whichever process, and no closed one", () => {
  const lines = [
    "# HELP sluice_provider_breaker_open 1 while this process sends no new work.",
    "# TYPE sluice_provider_breaker_open gauge",
    'sluice_provider_breaker_open{provider="acme",channel="payout NGN",process="web-1"} 1',
    'sluice_provider_breaker_open{process="worker-1",provider="acme",channel="payout NGN"} 1',
    'sluice_provider_breaker_open{provider="acme",channel="BR_PIX",process="web-1"} 0',
    'sluice_provider_calls_total{provider="acme",call="create_payout",outcome="unknown"} 1',
  ];
  expect(openBreakersIn(lines.join("\n"))).toEqual([{ provider: "acme", channel: "payout NGN" }]);
});

it("says why it cannot read them", async () => {
  expect(await readOpenBreakers("http://127.0.0.1:9", null)).toBe("METRICS_TOKEN is not set");
  expect(await readOpenBreakers("http://127.0.0.1:9", "t".repeat(32))).toBe(
    "http://127.0.0.1:9/metrics did not answer",
  );
});
