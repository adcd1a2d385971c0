// One payout beside the list, to walk through the list and decide.
"use client";
import { ChevronDown, ChevronUp, type LucideIcon, X } from "lucide-react";
import Link from "next/link";
import { useEffect, useEffectEvent, useRef } from "react";
import { useTexts } from "../i18n/use-texts";
import { actorText } from "../intents/actor-text";
import { type Fact, Facts } from "../intents/facts";
import { Amount } from "../money/amount";
import { useMay, useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { Notice } from "../ui/notice";
import { StatusBadge } from "../ui/status-badge";
import { batchFact } from "./batch-fact";
import { DecisionButtons } from "./decision-buttons";
import { missingApproversText, obstacleText, type Payout, sumAndRecipient } from "./payout";
import { useWalletEffect } from "./wallet-effect";
import type { PayoutWarnings } from "./warning-marks";
import { WarningSentences } from "./warning-sentences";

interface PayoutPanelProps {
  /** The rows of the list. */
  readonly payouts: readonly Payout[];
  /** One of them. */
  readonly id: string | null;
  readonly warningsOf: (payout: Payout) => PayoutWarnings | undefined;
  readonly onDecided: (payout: Payout) => void;
  readonly onMove: (id: string) => void;
  readonly onClose: () => void;
}

/** Not a dialog: the list beside it stays usable. */
export default function PayoutPanel(props: PayoutPanelProps) {
  const texts = useTexts();
  const { payouts, id, warningsOf, onDecided, onMove } = props;
  const { environment } = useShell();
  const title = useRef<HTMLHeadingElement>(null);
  const at = payouts.findIndex((payout) => payout.id === id);
  const payout = payouts[at];
  const close = useClosing(props);
  useEffect(() => {
    if (id !== null) title.current?.focus();
  }, [id]);
  if (!payout) return null;
  const move = (by: 1 | -1) => {
    const next = payouts[at + by];
    if (next) onMove(next.id);
  };
  return (
    <section
      data-panel=""
      aria-label={texts("payouts.panelTitle", { sumAndRecipient: sumAndRecipient(texts, payout) })}
      className="fixed inset-y-0 right-0 z-30 grid w-full grid-rows-[auto_minmax(0,1fr)_auto] border-l border-line bg-surface shadow-raised sm:w-112"
    >
      <div className="flex items-center gap-1 border-b border-line px-4 py-2">
        <span className="caption figures mr-auto">
          {texts("payouts.panelPosition", { at: at + 1, payouts: payouts.length })}
        </span>
        <PanelButton
          label={texts("payouts.previousPayout")}
          keyName="k"
          Icon={ChevronUp}
          isOff={at === 0}
          onPress={() => move(-1)}
        />
        <PanelButton
          label={texts("payouts.nextPayout")}
          keyName="j"
          Icon={ChevronDown}
          isOff={at === payouts.length - 1}
          onPress={() => move(1)}
        />
        <PanelButton label={texts("payouts.close")} Icon={X} onPress={close} />
      </div>
      <div className="grid content-start gap-5 overflow-y-auto p-5">
        <div className="grid justify-items-start gap-2">
          <h2 ref={title} tabIndex={-1} className="text-xl outline-none">
            <Amount minorUnits={payout.amount} currency={payout.currency} />
          </h2>
          <StatusBadge status={payout.status} />
        </div>
        <WarningSentences warnings={warningsOf(payout)} />
        <PayoutNotice payout={payout} />
        <PayoutFacts payout={payout} />
        <Link
          href={`/${environment}/payouts/${payout.id}`}
          prefetch={false}
          className="w-fit rounded-sm text-sm font-medium text-accent underline underline-offset-3"
        >
          {texts("payouts.openPage")}
        </Link>
      </div>
      <div className="border-t border-line px-5 py-3 has-[>div:empty]:hidden">
        <DecisionButtons key={payout.id} payout={payout} size="medium" onDecided={onDecided} />
      </div>
    </section>
  );
}

/** Closes the panel, also on Escape, and returns the focus to the row. */
function useClosing({ id, onClose }: PayoutPanelProps): () => void {
  const close = () => {
    onClose();
    document.querySelector<HTMLElement>(`[data-row-link][href$="/${id}"]`)?.focus();
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (event.key === "Escape" && !(target instanceof HTMLElement && target.closest("dialog"))) close();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  return close;
}

interface PanelButtonProps {
  readonly label: string;
  /** The key that presses it while the panel has the focus. */
  readonly keyName?: string;
  readonly Icon: LucideIcon;
  readonly isOff?: boolean;
  readonly onPress: () => void;
}

function PanelButton({ label, keyName, Icon, isOff = false, onPress }: PanelButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={keyName ? `${label} (${keyName})` : label}
      aria-keyshortcuts={keyName}
      aria-disabled={isOff || undefined}
      onClick={onPress}
      className="grid size-9 place-items-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:opacity-40"
    >
      <Icon className="size-5" aria-hidden="true" />
    </button>
  );
}

function PayoutNotice({ payout }: { readonly payout: Payout }) {
  const texts = useTexts();
  const mayDecide = useMay("decide_payouts");
  const text =
    payout.approvers_missing > 0 ? missingApproversText(texts, payout) : mayDecide ? obstacleText(texts, payout) : null;
  return text === null ? null : <Notice tone="plain">{text}</Notice>;
}

function PayoutFacts({ payout }: { readonly payout: Payout }) {
  const texts = useTexts();
  const { recipient, approvals, approvals_required: required, lapses_at: expiresAt } = payout;
  const { environment } = useShell();
  const isWaiting = payout.status === "requires_approval";
  const effect = useWalletEffect(payout);
  const approvers = approvals.map(({ member }) => actorText(texts, member)).join(", ");
  const facts: readonly (Fact | null)[] = [
    [texts("payouts.recipient"), recipient.holder_name],
    [texts("payouts.account"), `•••• ${recipient.account_last4}`],
    [texts("payouts.bankCode"), recipient.bank_code],
    [texts("payouts.country"), payout.country],
    [texts("payouts.reference"), payout.merchant_reference],
    batchFact(texts, payout, environment),
    [texts("payouts.created"), <LocalTime key="created" iso={payout.created_at} />],
    [texts("payouts.createdBy"), actorText(texts, payout.made_by)],
    [
      texts("payouts.approvals"),
      texts("payouts.approvalsShort", {
        approvals: approvals.length,
        required,
        approvers: approvers ? `: ${approvers}` : "",
      }),
    ],
    expiresAt === null ? null : [texts("payouts.expires"), <LocalTime key="expires" iso={expiresAt} />],
    ...(isWaiting ? effect : []),
    payout.failure_message === null ? null : [texts("payouts.reason"), payout.failure_message],
  ];
  return <Facts facts={facts} />;
}
