// The bar for selected payouts: their number, their sum per currency, and the buttons to decide on them together.
"use client";
import { useQueryClient } from "@tanstack/react-query";
import type { inferRouterInputs } from "@trpc/server";
import { lazy, Suspense, useState } from "react";
import type { AppRouter } from "@/server/trpc/router";
import { useTexts } from "../i18n/use-texts";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import type { Payout } from "./payout";
import { sumsOf } from "./sums";
import { MOST_AT_ONCE, type Selection } from "./use-selection";

const BulkDialog = lazy(() => import("./bulk-dialog"));

interface BulkBarProps {
  readonly selection: Selection;
  /** All payouts that await the member under the filters, on every page; null outside the queue. */
  readonly all: {
    readonly input: inferRouterInputs<AppRouter>["payoutIntents"]["list"];
    readonly count: number;
  } | null;
  readonly onDone: () => void;
}

interface Asked {
  readonly act: "approve" | "cancel";
  readonly payouts: readonly Payout[];
}

/** Announcements stay above the bar. */
function makeRoom(bar: HTMLElement) {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty("--bottom-bar", `${bar.offsetHeight + 16}px`));
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty("--bottom-bar");
  };
}

/** Stays at the lower edge while payouts are selected. */
export default function BulkBar({ selection, all, onDone }: BulkBarProps) {
  const texts = useTexts();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { chosen, setAll, clear } = selection;
  const ask = (act: Asked["act"]) => setAsked({ act, payouts: chosen });
  return (
    <>
      {chosen.length > 0 ? (
        <div
          ref={(bar) => (bar ? makeRoom(bar) : undefined)}
          data-bulk-bar=""
          className="sticky bottom-4 z-10 flex flex-wrap items-center gap-x-5 gap-y-2 rounded-lg border border-line-strong bg-surface px-4 py-3 text-sm shadow-raised max-md:hidden"
        >
          <output className="font-medium">{texts("payouts.chosenSelected", { chosen: chosen.length })}</output>
          <p className="figures text-ink-soft">{sumsOf(texts, chosen).join(" · ")}</p>
          <div className="ml-auto flex flex-wrap gap-2">
            <SelectAll selected={chosen.length} all={all} onSelect={(payouts) => setAll(payouts, true)} />
            <Button size="small" tone="quiet" onClick={clear}>
              {texts("payouts.clear")}
            </Button>
            <Button size="small" aria-keyshortcuts="c" onClick={() => ask("cancel")}>
              {texts("payouts.cancelChosenSelected", { chosen: chosen.length })}
            </Button>
            <Button size="small" tone="primary" aria-keyshortcuts="a" onClick={() => ask("approve")}>
              {texts("payouts.approveChosenSelected", { chosen: chosen.length })}
            </Button>
          </div>
        </div>
      ) : null}
      <Suspense>
        {asked ? (
          <BulkDialog
            {...asked}
            onDone={onDone}
            onClose={() => {
              setAsked(null);
              clear();
            }}
            onBack={() => setAsked(null)}
          />
        ) : null}
      </Suspense>
    </>
  );
}

interface SelectAllProps extends Pick<BulkBarProps, "all"> {
  readonly selected: number;
  readonly onSelect: (payouts: readonly Payout[]) => void;
}

/** Selects across pages: all payouts of the queue, or as many as one call decides on. */
function SelectAll({ selected, all, onSelect }: SelectAllProps) {
  const texts = useTexts();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [isReading, setReading] = useState(false);
  const most = Math.min(all?.count ?? 0, MOST_AT_ONCE);
  if (!all || selected >= most) return null;

  async function read(input: NonNullable<BulkBarProps["all"]>["input"]): Promise<void> {
    setReading(true);
    try {
      const page = await queries.query(
        trpc.payoutIntents.list.queryOptions({ ...input, limit: String(MOST_AT_ONCE) }, { staleTime: 0 }),
      );
      onSelect(page.data);
    } catch (error) {
      announce(failureOf(texts, error).message);
    } finally {
      setReading(false);
    }
  }

  return (
    <Button
      size="small"
      tone="quiet"
      aria-disabled={isReading || undefined}
      onClick={() => void (isReading || read(all.input))}
    >
      {all.count > MOST_AT_ONCE
        ? texts("payouts.selectNewest", { mostAtOnce: MOST_AT_ONCE })
        : texts("payouts.selectAll", { count: all.count })}
    </Button>
  );
}
