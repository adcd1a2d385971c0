"use client";
import { ChevronRight, CircleAlert, CircleCheck, Hand } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { PresentedException } from "@/server/trpc/exceptions";
import { actorText } from "../intents/actor-text";
import { type Fact, Facts } from "../intents/facts";
import { addressOfId } from "../shell/navigation";
import { useShell } from "../shell/shell-context";
import { Age } from "../time/age";
import { LocalTime } from "../time/local-time";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { classNames } from "../ui/class-names";
import { Notice } from "../ui/notice";
import { TextLink } from "../ui/text-link";
import { detailFacts } from "./detail-facts";
import { nameOf, sumOf, titleOf } from "./exception-text";
import { KIND_WORDS, SETTLEMENT_WORDS } from "./exception-words";
import { openRefundOf, REFUND_WORDS } from "./refund-words";
import { useExceptionDecisions } from "./use-exception-decisions";

const Callback = lazy(() => import("./callback"));
const DecideDialog = lazy(() => import("./decide-dialog"));
const Refunds = lazy(() => import("./refunds"));

function StateBadge({ exception }: { readonly exception: PresentedException }) {
  const { owner, resolved_at: resolvedAt, refunds } = exception;
  if (resolvedAt !== null) return <Badge tone="good" Icon={CircleCheck} label="Resolved" />;
  const refund = openRefundOf(refunds);
  if (refund) return <Badge {...REFUND_WORDS[refund.state]} />;
  return owner === null ? (
    <Badge tone="warn" Icon={CircleAlert} label="Unassigned" />
  ) : (
    <Badge tone="busy" Icon={Hand} label={`Assigned to ${owner.name ?? actorText(owner)}`} />
  );
}

interface ExceptionItemProps {
  readonly exception: PresentedException;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
}

export function ExceptionItem({ exception, isSelected, onToggle }: ExceptionItemProps) {
  const { kind, about, opened_at: openedAt, resolved_at: resolvedAt } = exception;
  const [isOpen, setOpen] = useState(false);
  const words = KIND_WORDS[kind];
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] border-b border-line bg-surface last:border-b-0">
      <span className={classNames("py-3.5 pl-4", isSelected && "bg-accent-soft")}>
        {resolvedAt === null ? (
          <input
            type="checkbox"
            aria-label={`Select ${titleOf(exception)}`}
            checked={isSelected}
            onChange={onToggle}
            className="block size-6 accent-accent"
          />
        ) : (
          <span className="block size-6" />
        )}
      </span>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="group">
        <summary className="grid list-none grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-3 text-sm hover:bg-canvas md:grid-cols-[auto_minmax(0,1fr)_minmax(0,1.4fr)_minmax(8rem,auto)_11rem_6rem] [&::-webkit-details-marker]:hidden">
          <ChevronRight
            className="size-4 shrink-0 text-ink-soft transition-transform duration-150 group-open:rotate-90"
            aria-hidden="true"
          />
          <span className="font-medium">{words.label}</span>
          <span className="truncate text-xs text-ink-soft max-md:order-last max-md:col-span-2 max-md:col-start-2">
            {about?.merchant_reference ? (
              <>
                <span className="text-ink">{about.merchant_reference}</span>
                {about.counterparty === null ? null : ` · ${about.counterparty}`}
              </>
            ) : (
              <span className="font-mono">{nameOf(exception)}</span>
            )}
          </span>
          <span className="figures text-right font-medium whitespace-nowrap">{sumOf(exception)}</span>
          <span className="max-md:col-start-2">
            <StateBadge exception={exception} />
          </span>
          <span className="text-right text-xs whitespace-nowrap text-ink-soft">
            <Age iso={openedAt} />
          </span>
        </summary>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-5 sm:pl-11">
          <div className="grid max-w-prose gap-1 text-sm">
            <p>{words.meaning}</p>
            {exception.resolved_at === null ? <p className="text-ink-soft">{words.advice}</p> : null}
          </div>
          <Facts facts={factsOf(exception)} />
          <Suspense>{isOpen && kind === "unapplied_callback" ? <Callback exception={exception} /> : null}</Suspense>
          <Suspense>{isOpen && exception.refunds.length > 0 ? <Refunds exception={exception} /> : null}</Suspense>
          {exception.resolved_at === null ? <Actions exception={exception} /> : null}
        </div>
      </details>
    </div>
  );
}

function factsOf(exception: PresentedException): readonly (Fact | null)[] {
  const {
    about,
    detail,
    owner,
    resolution,
    settled_as: settledAs,
    resolved_at: resolvedAt,
    resolved_by: by,
  } = exception;
  const { file, ...rest } = detail;
  return [
    ["Object", <ObjectLink key="object" exception={exception} />],
    about?.counterparty ? ["Counterparty", about.counterparty] : null,
    exception.money === null
      ? null
      : [exception.money.amount.startsWith("-") ? "Missing in suspense" : "In suspense", sumOf(exception)],
    ...detailFacts(rest),
    file ? ["Settlement file", <FileLink key="file" id={file} />] : null,
    ["Opened", <LocalTime key="opened" iso={exception.opened_at} />],
    owner === null ? null : ["Assigned to", actorText(owner)],
    settledAs === null ? null : ["Money", SETTLEMENT_WORDS[settledAs].done],
    resolution === null ? null : ["Notes", resolution],
    resolvedAt === null ? null : ["Resolved", <LocalTime key="resolved" iso={resolvedAt} />],
    by === null ? null : ["Resolved by", actorText(by)],
    ["Exception", exception.id],
  ];
}

function FileLink({ id }: { readonly id: string }) {
  const { environment } = useShell();
  return <TextLink href={`/${environment}/reconciliation/${id}`}>Show the file</TextLink>;
}

function ObjectLink({ exception }: { readonly exception: PresentedException }) {
  const shell = useShell();
  const payment = exception.refunds.find(({ id }) => id === exception.object_id)?.payment_id;
  const page = addressOfId(shell, payment ?? exception.object_id);
  const name =
    payment === undefined ? nameOf(exception) : `Refund of ${exception.about?.merchant_reference ?? payment}`;
  return page === null ? name : <TextLink href={page}>{name}</TextLink>;
}

function Actions({ exception }: { readonly exception: PresentedException }) {
  const { member } = useShell();
  const [isDeciding, setDeciding] = useState(false);
  const decisions = useExceptionDecisions(exception, () => undefined);
  const isMine = exception.owner?.id === member.id;
  const isReserved = exception.money !== null && openRefundOf(exception.refunds) !== undefined;
  return (
    <div className="grid gap-3">
      {decisions.failure ? (
        <Notice tone="bad" role="alert">
          {decisions.failure.message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {isReserved ? null : (
          <Button size="medium" tone="primary" onClick={() => setDeciding(true)}>
            {exception.settlements.length > 0 ? "Settle…" : "Resolve…"}
          </Button>
        )}
        {isMine ? null : (
          <Button size="medium" aria-disabled={decisions.isSending || undefined} onClick={decisions.take}>
            <Hand className="size-4" aria-hidden="true" />
            Assign to me
          </Button>
        )}
      </div>
      <Suspense>
        {isDeciding ? <DecideDialog exception={exception} onClose={() => setDeciding(false)} /> : null}
      </Suspense>
    </div>
  );
}
