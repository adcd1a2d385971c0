// What surrounds the rows of every list: the notice of newer rows, the empty state, a failure, the pages.
"use client";
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, type LucideIcon } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { orderOf } from "@/server/domain/list-order";
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";
import type { PageState } from "./page-state";
import type { ListAddress } from "./use-list-address";

const ListFailure = lazy(() => import("./list-failure"));
const Unfinished = lazy(() => import("./unfinished"));

/** The catalogue has the words and their grammar. */
export type ListNoun =
  | "payments"
  | "payouts"
  | "topups"
  | "lines"
  | "files"
  | "entries"
  | "exceptions"
  | "requests"
  | "movements"
  | "events"
  | "deliveries";

interface ListFrameProps extends PageState {
  readonly address: ListAddress;
  /** What the rows are, for sentences. */
  readonly noun: ListNoun;
  /** The number of newer rows, if the list is watched. */
  readonly newer?: number;
  /** The title of an empty list without filters; that there are none yet if omitted. */
  readonly emptyTitle?: string | undefined;
  /** The text below it. */
  readonly emptyText: string;
  readonly children: ReactNode;
}

export function ListFrame(props: ListFrameProps) {
  const { address, noun, rows, error, newer = 0 } = props;
  const order = orderOf(address.order.sort);
  if (error)
    return (
      <Suspense>
        <ListFailure error={error} address={address} onRead={props.onRead} />
      </Suspense>
    );
  if (rows === undefined) return <Skeleton />;
  return (
    <div className="relative grid grid-cols-[minmax(0,1fr)] gap-4">
      {order === "newest_first" && address.cursor === undefined ? (
        // Over the header of the rows, so that the rows stay in place.
        <div className="pointer-events-none absolute inset-x-0 top-1 z-10 *:*:pointer-events-auto">
          <NewRowsBanner noun={noun} newer={newer} Arrow={ArrowUp} onRead={props.onRead} />
        </div>
      ) : null}
      {rows === 0 ? (
        <Empty {...props} isUnfinished={Boolean(props.nextCursor)} />
      ) : (
        <div aria-busy={props.isStale} className={props.isStale ? "opacity-60 transition-opacity" : ""}>
          {props.children}
        </div>
      )}
      {order === "oldest_first" && !props.nextCursor ? (
        <NewRowsBanner noun={noun} newer={newer} Arrow={ArrowDown} onRead={props.onRead} />
      ) : null}
      <Pager address={address} nextCursor={props.nextCursor} isStale={props.isStale} />
    </div>
  );
}

interface NewRowsBannerProps extends Pick<ListFrameProps, "noun" | "onRead"> {
  readonly newer: number;
  readonly Arrow: LucideIcon;
}

/** Placed where the newer rows will appear: before the first page, or after the last one if the oldest come first. */
function NewRowsBanner({ noun, newer, Arrow, onRead }: NewRowsBannerProps) {
  const texts = useTexts();
  if (newer === 0) return null;
  return (
    <div className="grid justify-items-center">
      <Button size="small" tone="primary" className="rounded-full" onClick={onRead}>
        <Arrow className="size-4" aria-hidden="true" />
        {texts("lists.newRows", { count: newer, shown: newer >= 1_000 ? `${texts.number(1_000)}+` : newer, noun })}
      </Button>
    </div>
  );
}

interface EmptyProps extends Pick<ListFrameProps, "address" | "noun" | "emptyTitle" | "emptyText"> {
  /** True if rows that were not read yet may match. */
  readonly isUnfinished: boolean;
}

function Empty({ address, noun, isUnfinished, ...empty }: EmptyProps) {
  const texts = useTexts();
  const title = empty.emptyTitle ?? texts("lists.noNounYet", { noun });
  const isFiltered = address.isNarrowed || address.cursor !== undefined;
  if (isUnfinished)
    return (
      <Suspense>
        <Unfinished />
      </Suspense>
    );
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-dashed border-line-strong px-6 py-16 text-center">
      <p className="font-medium">{isFiltered ? texts("lists.noNounMatch", { noun }) : title}</p>
      <p className="max-w-md text-sm text-ink-soft">{isFiltered ? texts("lists.noMatchHint") : empty.emptyText}</p>
      {isFiltered ? (
        <Button size="medium" onClick={() => address.clear()}>
          {texts("lists.clearFilters")}
        </Button>
      ) : null}
    </div>
  );
}

/** While rows of the previous filters are shown, their cursor is disabled: it would skip rows of the new ones. */
function Pager({ address, nextCursor, isStale }: Pick<ListFrameProps, "address" | "nextCursor" | "isStale">) {
  const texts = useTexts();
  if (address.cursor === undefined && !nextCursor) return null;
  return (
    <nav aria-label={texts("lists.pages")} className="flex justify-between gap-3">
      <Button size="medium" disabled={address.cursor === undefined} onClick={address.goBack}>
        <ArrowLeft className="size-4" aria-hidden="true" />
        {texts("lists.previous")}
      </Button>
      <Button
        size="medium"
        disabled={!nextCursor}
        aria-disabled={isStale || undefined}
        onClick={() => isStale || address.goNext(nextCursor ?? "")}
      >
        {texts("lists.next")}
        <ArrowRight className="size-4" aria-hidden="true" />
      </Button>
    </nav>
  );
}

const PLACES = ["a", "b", "c", "d", "e", "f"];

function Skeleton() {
  return (
    <div className="grid gap-px overflow-hidden rounded-lg border border-line bg-line" aria-hidden="true">
      {PLACES.map((place) => (
        <div key={place} className="h-16 animate-pulse bg-surface" />
      ))}
    </div>
  );
}
