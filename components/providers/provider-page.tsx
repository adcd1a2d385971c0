// The providers that serve the merchant: their state, open work and coverage, as far as the merchant's intents show it.
"use client";
import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { type Fact, Facts } from "../intents/facts";
import { usePollingInterval } from "../shell/live-changes";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { Panel } from "../ui/panel";
import { meaningOf, StateMark } from "./state-mark";

type Provider = inferRouterOutputs<AppRouter>["providers"]["list"][number];

/** Counting stops here. */
const CAP = 1_000;

export function ProviderPage() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const pollingInterval = usePollingInterval();
  const { data, error } = useQuery({
    ...trpc.providers.list.queryOptions({ environment }, BACKGROUND),
    refetchInterval: pollingInterval,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader title={texts("providers.providers")} about={texts("providers.providersAbout")} />
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      {data?.length === 0 ? (
        <p className="rounded-lg border border-dashed border-line-strong px-6 py-16 text-center text-sm text-ink-soft">
          {texts("providers.noProviders", { environment })}
        </p>
      ) : null}
      {data?.map((provider) => (
        <ProviderPanel key={provider.name} provider={provider} />
      ))}
    </div>
  );
}

function ProviderPanel({ provider }: { readonly provider: Provider }) {
  const texts = useTexts();
  const { name, state } = provider;
  const meaning = meaningOf(texts, state);
  return (
    <Panel>
      <section aria-labelledby={`provider-${name}`} className="grid gap-4">
        <h2 id={`provider-${name}`} className="flex flex-wrap items-center gap-x-4 gap-y-2 text-lg">
          <span className="wrap-anywhere">{name}</span>
          <StateMark state={state} />
        </h2>
        {meaning === null ? null : <p className="text-sm text-ink-soft">{meaning}</p>}
        <Facts facts={[...factsOfWork(texts, provider), ...factsOfCoverage(texts, provider)]} />
      </section>
    </Panel>
  );
}

/** A number of what is counted up to a cap, with its noun. */
function counted(texts: Texts, count: number, noun: "payments" | "payouts" | "topups" | "calls" | "intents"): string {
  return texts(`providers.${noun}`, { count, shown: count >= CAP ? texts("providers.manyOpen") : count });
}

function openText(texts: Texts, { payment, payout, topup }: Provider["open"]): string {
  const parts = [
    [payment, "payments"],
    [payout, "payouts"],
    [topup, "topups"],
  ] as const;
  const open = parts.flatMap(([count, noun]) => (count === 0 ? [] : [counted(texts, count, noun)]));
  return open.length === 0 ? texts("providers.none") : open.join(", ");
}

function callsText(texts: Texts, { count, without_answer }: Provider["calls"]): string {
  if (count === 0) return texts("providers.none");
  return `${counted(texts, count, "calls")}, ${without_answer === 0 ? texts("providers.allAnswered") : texts("providers.callsWithoutAnswer", { withoutAnswer: without_answer })}`;
}

function factsOfWork(
  texts: Texts,
  { open, overdue, calls, last_answer_at, paused_currencies }: Provider,
): (Fact | null)[] {
  return [
    [texts("providers.openIntents"), openText(texts, open)],
    overdue === 0 ? null : [texts("providers.ofTheseLate"), counted(texts, overdue, "intents")],
    [texts("providers.last15Minutes"), callsText(texts, calls)],
    [
      texts("providers.lastUsableAnswer"),
      last_answer_at === null ? texts("providers.noneWithinADay") : <LocalTime key="answer" iso={last_answer_at} />,
    ],
    paused_currencies.length === 0 ? null : [texts("providers.paused"), paused_currencies.join(", ")],
  ];
}

const listed = (texts: Texts, names: readonly string[]) =>
  names.length === 0 ? texts("providers.none") : names.join(", ");

function factsOfCoverage(
  texts: Texts,
  { account, payment_methods, payout_currencies, offers_topups }: Provider,
): (Fact | null)[] {
  return [
    account === null ? null : [texts("providers.yourAccountThere"), account],
    [texts("providers.paymentMethods"), listed(texts, payment_methods)],
    [texts("providers.payoutCurrencies"), listed(texts, payout_currencies)],
    [texts("providers.offersTopups"), offers_topups ? texts("providers.yes") : texts("providers.no")],
  ];
}
