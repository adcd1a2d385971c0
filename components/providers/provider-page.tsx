// The providers that serve the merchant: their state, open work and coverage, as far as the merchant's intents show it.
"use client";
import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
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
  const { environment } = useShell();
  const trpc = useTRPC();
  const pollingInterval = usePollingInterval();
  const { data, error } = useQuery({
    ...trpc.providers.list.queryOptions({ environment }, BACKGROUND),
    refetchInterval: pollingInterval,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader
        title="Providers"
        about="Who carries your payments, payouts and top-ups, and how your own intents fare there."
      />
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(error).message}
        </Notice>
      ) : null}
      {data?.length === 0 ? (
        <p className="rounded-lg border border-dashed border-line-strong px-6 py-16 text-center text-sm text-ink-soft">
          No provider serves this merchant in {environment}. The operator configures them.
        </p>
      ) : null}
      {data?.map((provider) => (
        <ProviderPanel key={provider.name} provider={provider} />
      ))}
    </div>
  );
}

function ProviderPanel({ provider }: { readonly provider: Provider }) {
  const { name, state } = provider;
  const meaning = meaningOf(state);
  return (
    <Panel>
      <section aria-labelledby={`provider-${name}`} className="grid gap-4">
        <h2 id={`provider-${name}`} className="flex flex-wrap items-center gap-x-4 gap-y-2 text-lg">
          <span className="wrap-anywhere">{name}</span>
          <StateMark state={state} />
        </h2>
        {meaning === null ? null : <p className="text-sm text-ink-soft">{meaning}</p>}
        <Facts facts={[...factsOfWork(provider), ...factsOfCoverage(provider)]} />
      </section>
    </Panel>
  );
}

const counted = (count: number, noun: string) =>
  `${count >= CAP ? "1,000 or more" : count} ${noun}${count === 1 ? "" : "s"}`;

function openText({ payment, payout, topup }: Provider["open"]): string {
  const parts = [
    [payment, "payment"],
    [payout, "payout"],
    [topup, "top-up"],
  ] as const;
  const open = parts.flatMap(([count, noun]) => (count === 0 ? [] : [counted(count, noun)]));
  return open.length === 0 ? "None" : open.join(", ");
}

function callsText({ count, without_answer }: Provider["calls"]): string {
  if (count === 0) return "None";
  return `${counted(count, "call")}, ${without_answer === 0 ? "all answered" : `${without_answer} without a usable answer`}`;
}

function factsOfWork({ open, overdue, calls, last_answer_at, paused_currencies }: Provider): (Fact | null)[] {
  return [
    ["Open intents", openText(open)],
    overdue === 0 ? null : ["Of these, late", counted(overdue, "intent")],
    ["Last 15 minutes", callsText(calls)],
    [
      "Last usable answer",
      last_answer_at === null ? "None within a day" : <LocalTime key="answer" iso={last_answer_at} />,
    ],
    paused_currencies.length === 0 ? null : ["Paused", paused_currencies.join(", ")],
  ];
}

const listed = (names: readonly string[]) => (names.length === 0 ? "None" : names.join(", "));

function factsOfCoverage({ payment_methods, payout_currencies, offers_topups }: Provider): Fact[] {
  return [
    ["Payment methods", listed(payment_methods)],
    ["Payouts", listed(payout_currencies)],
    ["Top-ups", offers_topups ? "Yes" : "No"],
  ];
}
