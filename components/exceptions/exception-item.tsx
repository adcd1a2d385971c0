"use client";
import { ChevronRight, CircleAlert, CircleCheck, Hand } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { PresentedException } from "@/server/trpc/exceptions";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
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
import { kindWordsIn, settlementWordsIn } from "./exception-words";
import { openRefundOf, refundWordsIn } from "./refund-words";
import { useExceptionDecisions } from "./use-exception-decisions";

const BulkDialog = lazy(() => import("./bulk-dialog"));
const Callback = lazy(() => import("./callback"));
const DecideDialog = lazy(() => import("./decide-dialog"));
const Refunds = lazy(() => import("./refunds"));

function StateBadge({ exception }: { readonly exception: PresentedException }) {
  const texts = useTexts();
  const { owner, resolved_at: resolvedAt, refunds } = exception;
  if (resolvedAt !== null) return <Badge tone="good" Icon={CircleCheck} label={texts("exceptions.resolved")} />;
  const refund = openRefundOf(refunds);
  if (refund) return <Badge {...refundWordsIn(texts)[refund.state]} />;
  return owner === null ? (
    <Badge tone="warn" Icon={CircleAlert} label={texts("exceptions.unassigned")} />
  ) : (
    <Badge
      tone="busy"
      Icon={Hand}
      label={texts("exceptions.assignedToName", { name: owner.name ?? actorText(texts, owner) })}
    />
  );
}

interface ExceptionItemProps {
  readonly exception: PresentedException;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
}

export function ExceptionItem({ exception, isSelected, onToggle }: ExceptionItemProps) {
  const texts = useTexts();
  const { kind, about, opened_at: openedAt, resolved_at: resolvedAt } = exception;
  const [isOpen, setOpen] = useState(false);
  const words = kindWordsIn(texts)[kind];
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] border-b border-line bg-surface last:border-b-0">
      <span className={classNames("py-3.5 pl-4", isSelected && "bg-accent-soft")}>
        {resolvedAt === null ? (
          <input
            type="checkbox"
            aria-label={texts("exceptions.selectTitle", { title: titleOf(texts, exception) })}
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
          <span className="figures text-right font-medium whitespace-nowrap">{sumOf(texts, exception)}</span>
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
          <Facts facts={factsOf(texts, exception)} />
          <Suspense>{isOpen && kind === "unapplied_callback" ? <Callback exception={exception} /> : null}</Suspense>
          <Suspense>{isOpen && exception.refunds.length > 0 ? <Refunds exception={exception} /> : null}</Suspense>
          {exception.resolved_at === null ? <Actions exception={exception} /> : null}
        </div>
      </details>
    </div>
  );
}

function factsOf(texts: Texts, exception: PresentedException): readonly (Fact | null)[] {
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
    [texts("exceptions.object"), <ObjectLink key="object" exception={exception} />],
    about?.counterparty ? [texts("exceptions.counterparty"), about.counterparty] : null,
    exception.money === null
      ? null
      : [
          exception.money.amount.startsWith("-")
            ? texts("exceptions.missingInSuspense")
            : texts("exceptions.inSuspense"),
          sumOf(texts, exception),
        ],
    ...detailFacts(texts, rest),
    file ? [texts("exceptions.settlementFile"), <FileLink key="file" id={file} />] : null,
    [texts("exceptions.opened"), <LocalTime key="opened" iso={exception.opened_at} />],
    owner === null ? null : [texts("exceptions.assignedTo"), actorText(texts, owner)],
    settledAs === null ? null : [texts("exceptions.money"), settlementWordsIn(texts)[settledAs].done],
    resolution === null ? null : [texts("exceptions.notes"), resolution],
    resolvedAt === null ? null : [texts("exceptions.resolved"), <LocalTime key="resolved" iso={resolvedAt} />],
    by === null ? null : [texts("exceptions.resolvedBy"), actorText(texts, by)],
    [texts("exceptions.exception"), exception.id],
  ];
}

function FileLink({ id }: { readonly id: string }) {
  const texts = useTexts();
  const { environment } = useShell();
  return <TextLink href={`/${environment}/reconciliation/${id}`}>{texts("exceptions.showTheFile")}</TextLink>;
}

function ObjectLink({ exception }: { readonly exception: PresentedException }) {
  const texts = useTexts();
  const shell = useShell();
  const payment = exception.refunds.find(({ id }) => id === exception.object_id)?.payment_id;
  const page = addressOfId(shell, payment ?? exception.object_id);
  const name =
    payment === undefined
      ? nameOf(exception)
      : texts("exceptions.refundOfMerchantReference", {
          merchantReference: exception.about?.merchant_reference ?? payment,
        });
  return page === null ? name : <TextLink href={page}>{name}</TextLink>;
}

function Actions({ exception }: { readonly exception: PresentedException }) {
  const texts = useTexts();
  const { member } = useShell();
  const [asked, setAsked] = useState<"decide" | "assign" | null>(null);
  const close = () => setAsked(null);
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
          <Button size="medium" tone="primary" onClick={() => setAsked("decide")}>
            {exception.settlements.length > 0 ? texts("exceptions.openSettle") : texts("exceptions.openResolve")}
          </Button>
        )}
        {isMine ? null : (
          <Button size="medium" aria-disabled={decisions.isSending || undefined} onClick={decisions.take}>
            <Hand className="size-4" aria-hidden="true" />
            {texts("exceptions.assignToMe")}
          </Button>
        )}
        <Button size="medium" onClick={() => setAsked("assign")}>
          {texts("exceptions.assign")}
        </Button>
      </div>
      <Suspense>
        {asked === "decide" ? <DecideDialog exception={exception} onClose={close} /> : null}
        {asked === "assign" ? <BulkDialog act={asked} exceptions={[exception]} onClose={close} onBack={close} /> : null}
      </Suspense>
    </div>
  );
}
