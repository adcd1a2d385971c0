// The routing of an intent: its provider, the rule that chose it, and the providers that were skipped or left.
import type { PresentedHistory } from "@/server/trpc/present/history";
import { type Fact, Facts } from "./facts";

type Routing = PresentedHistory["routing"];

const SKIPPED: Readonly<Record<Routing["skipped"][number]["reason"], string>> = {
  not_configured: "not configured",
  not_offered: "does not offer this",
  breaker_open: "kept from new work after faults",
  no_quote: "gave no rate",
};

const LEFT: Readonly<Record<Routing["left"][number]["reason"], string>> = {
  never_accepted: "did not accept it",
  not_sent: "could not be reached",
  breaker_open: "kept from new work after faults",
};

function listed<Reason extends string>(
  label: string,
  providers: readonly { readonly provider: string; readonly reason: Reason }[],
  wording: Readonly<Record<Reason, string>>,
): Fact | null {
  const texts = providers.map(({ provider, reason }) => `${provider} (${wording[reason]})`);
  return texts.length === 0 ? null : [label, texts.join(", ")];
}

export function RoutingFacts({ routing }: { readonly routing: Routing }) {
  const { provider, route, others, skipped, left } = routing;
  return (
    <Facts
      facts={[
        ["Provider", provider],
        ["Chosen by", route ?? "Default route"],
        others.length === 0 ? null : ["Could have gone to", others.join(", ")],
        listed("Passed over", skipped, SKIPPED),
        listed("Left", left, LEFT),
      ]}
    />
  );
}
