// The routing of an intent: its provider, the rule that chose it, and the providers that were skipped or left.

import { ExternalLink } from "lucide-react";
import type { PresentedHistory } from "@/server/trpc/present/history";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { type Fact, Facts } from "./facts";

type Routing = PresentedHistory["routing"];

const skippedIn = (texts: Texts): Readonly<Record<Routing["skipped"][number]["reason"], string>> => ({
  not_configured: texts("intents.notConfigured"),
  not_offered: texts("intents.doesNotOfferThis"),
  breaker_open: texts("intents.pausedAfterFaults"),
  no_quote: texts("intents.gaveNoRate"),
});

const leftIn = (texts: Texts): Readonly<Record<Routing["left"][number]["reason"], string>> => ({
  never_accepted: texts("intents.didNotAcceptIt"),
  not_sent: texts("intents.couldNotBeReached"),
  breaker_open: texts("intents.pausedAfterFaults"),
});

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
  const texts = useTexts();
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
          {texts("intents.openAtTheProvider")}
          <ExternalLink className="size-3.5" aria-label={texts("intents.inANewWindow")} />
        </a>
      )}
    </span>
  );
}

export function RoutingFacts({ routing }: { readonly routing: Routing }) {
  const texts = useTexts();
  const { provider, account, route, others, skipped, left, reference, receipts } = routing;
  return (
    <Facts
      facts={[
        [texts("intents.provider"), provider],
        account === null ? null : [texts("intents.yourAccountThere"), account],
        reference && [texts("intents.providersReference"), <ObjectName key="reference" object={reference} />],
        receipts.length === 0
          ? null
          : [
              texts("intents.providersReceipts"),
              receipts.map((receipt) => <ObjectName key={receipt.reference} object={receipt} />),
            ],
        [texts("intents.chosenBy"), route ?? texts("intents.defaultRoute")],
        others.length === 0 ? null : [texts("intents.couldHaveGoneTo"), others.join(", ")],
        listed(texts("intents.passedOver"), skipped, skippedIn(texts)),
        listed(texts("intents.left"), left, leftIn(texts)),
      ]}
    />
  );
}
