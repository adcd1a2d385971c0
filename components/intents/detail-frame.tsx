// The layout of an intent's page: sum and status first, facts and ledger beside the timeline, the JSON last.
"use client";
import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import type { PresentedHistory } from "@/server/trpc/present/history";
import { useTexts } from "../i18n/use-texts";
import { Amount } from "../money/amount";
import { RequestsLink } from "../shell/requests-link";
import { useMay, useShell } from "../shell/shell-context";
import { CopyButton } from "../ui/copy-button";
import { Panel } from "../ui/panel";
import { type AnyStatus, StatusBadge } from "../ui/status-badge";
import { type Fact, Facts } from "./facts";
import { LedgerEntries } from "./ledger-entries";
import { RawJson } from "./raw-json";
import { RoutingFacts } from "./routing";
import { Timeline } from "./timeline";

interface DetailFrameProps {
  /** The list that contains the intent. */
  readonly list: { readonly path: string; readonly label: string };
  readonly id: string;
  /** "Payout", for the heading. */
  readonly noun: string;
  readonly amount: string;
  readonly currency: string;
  readonly status: AnyStatus;
  /** Beside the status: what the amount and the status alone do not say. */
  readonly beside?: ReactNode;
  readonly facts: readonly (Fact | null)[];
  readonly history: PresentedHistory;
  readonly json: unknown;
  /** The buttons for its actions. */
  readonly actions?: ReactNode;
  /** What the member must know before acting. */
  readonly notice?: ReactNode;
}

export function DetailFrame(props: DetailFrameProps) {
  const texts = useTexts();
  const { list, id, noun, amount, currency, status, history } = props;
  const { environment } = useShell();
  const mayRead = useMay("read_api_logs");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <header className="grid gap-4">
        <Link
          href={`/${environment}/${list.path}`}
          prefetch={false}
          className="flex w-fit items-center gap-1.5 rounded-sm text-sm text-ink-soft hover:text-ink"
        >
          <ArrowLeft className="size-4" aria-hidden="true" />
          {list.label}
        </Link>
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
          <div className="grid gap-2">
            <h1 className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <span className="sr-only">{texts("intents.nounOf", { noun })} </span>
              <Amount minorUnits={amount} currency={currency} size="display" />
              <StatusBadge status={status} />
              {props.beside}
            </h1>
            <p className="flex flex-wrap items-center gap-x-1 font-mono text-xs text-ink-soft">
              <span className="wrap-anywhere">{id}</span>
              <CopyButton text={id} what={texts("intents.id")} />
            </p>
            {mayRead ? (
              <p className="text-sm">
                <RequestsLink objectId={id} />
              </p>
            ) : null}
          </div>
          {props.actions}
        </div>
        {props.notice}
      </header>
      <div className="grid gap-6 max-lg:grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]">
        <div className="grid content-start gap-6">
          <Section title={texts("intents.details")}>
            <Facts facts={props.facts} />
          </Section>
          <Section title={texts("intents.routing")}>
            <RoutingFacts routing={history.routing} />
          </Section>
          <Section title={texts("intents.ledgerEntries")}>
            <LedgerEntries entries={history.entries} />
          </Section>
        </div>
        <Section title={texts("intents.whatHappened")}>
          <Timeline history={history} />
        </Section>
      </div>
      <RawJson title={id} value={props.json} />
    </div>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Panel className="self-start">
      <h2 className="mb-4 text-base">{title}</h2>
      {children}
    </Panel>
  );
}
