// Says that the page is no longer up to date because its refreshes fail.
"use client";
import { type Query, type QueryCache, useQueryClient } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { wallClock } from "@/server/domain/wall-clock";
import { useTexts } from "../i18n/use-texts";
import { useTimeZone } from "../time/time-zone";
import { reasonOf } from "../trpc/failure";

const OUTAGES: readonly string[] = ["unreachable", "service_unavailable", "internal_error"];

const AGAIN_MS = 5_000;

/** True for content that refreshes itself, if its refresh failed for want of the service. */
function isFailing({ meta, state }: Query): boolean {
  return meta?.isLive === true && state.status === "error" && OUTAGES.includes(reasonOf(state.error));
}

/** The time, in ms, of the oldest content in view whose refresh fails; null if everything in view is up to date. */
function staleSince(cache: QueryCache): number | null {
  const times = cache
    .getAll()
    .filter((query) => query.isActive() && isFailing(query))
    .map(({ state }) => state.dataUpdatedAt)
    .filter((at) => at > 0);
  return times.length === 0 ? null : Math.min(...times);
}

/** Lies over the page, so that nothing moves. Asks again every few seconds, also while the stream is open. */
export function StaleNotice() {
  const texts = useTexts();
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const since = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => staleSince(cache),
    () => null,
  );
  const zone = useTimeZone();
  const isStale = since !== null;
  useEffect(() => {
    if (!isStale) return;
    const again = () => void queries.refetchQueries({ predicate: isFailing, type: "active" }, { cancelRefetch: false });
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isStale, queries]);
  return (
    <output className="pointer-events-none fixed inset-x-4 top-2 z-40 grid justify-items-center">
      {since === null ? null : (
        <span className="flex items-center gap-2 rounded-md bg-warn-soft px-3.5 py-2 text-xs font-medium text-warn shadow-raised">
          <CloudOff className="size-4 shrink-0" aria-hidden="true" />
          {texts("shell.stale", { clock: clockText(since, zone) })}
        </span>
      )}
    </output>
  );
}

/** "04:55". */
function clockText(at: number, zone: string): string {
  const { hour, minute } = wallClock(at, zone);
  return [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
}
