// The routing of an intent: its provider, the rule that chose it, and the providers that were skipped or left.
import { ExternalLink } from "lucide-react";
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

/** What the provider calls something, with a link to its dashboard if the address is known. */
function ObjectName({ object: { reference, page } }: { readonly object: Routing["receipts"][number] }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span className="font-mono text-xs">{reference}</span>
      {page === null ? null : (
        <a
          href={page}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-6 items-center gap-1 font-medium text-accent underline underline-offset-3 hover:text-accent-strong"
        >
          Open at the provider
          <ExternalLink className="size-3.5" aria-label="in a new window" />
        </a>
      )}
    </span>
  );
}

export function RoutingFacts({ routing }: { readonly routing: Routing }) {
  const { provider, route, others, skipped, left, reference, receipts } = routing;
  return (
    <Facts
      facts={[
        ["Provider", provider],
        reference && ["Provider's reference", <ObjectName key="reference" object={reference} />],
        receipts.length === 0
          ? null
          : ["Provider's receipts", receipts.map((receipt) => <ObjectName key={receipt.reference} object={receipt} />)],
        ["Chosen by", route ?? "Default route"],
        others.length === 0 ? null : ["Could have gone to", others.join(", ")],
        listed("Passed over", skipped, SKIPPED),
        listed("Left", left, LEFT),
      ]}
    />
  );
}
