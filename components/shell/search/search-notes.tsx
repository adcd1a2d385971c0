// Below the results of the search: what is going on, what can be searched, and what may be missing.
"use client";
import { SHORTEST_SEARCH } from "@/server/domain/search-text";
import { useTexts } from "../../i18n/use-texts";
import { LocalTime } from "../../time/local-time";
import { failureOf } from "../../trpc/failure";
import { Button } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { Notice } from "../../ui/notice";
import type { Search } from "./use-found";

/** In ms; the worker is usually a second or two behind. */
const IS_LATE_AFTER_MS = 15_000;

interface SearchNotesProps {
  readonly typed: string;
  readonly search: Search;
  /** The number of options that are shown. */
  readonly count: number;
}

export function SearchNotes({ typed, search, count }: SearchNotesProps) {
  const texts = useTexts();
  const { error, isSearching, onRetry } = search;
  const isShort = typed.trim().length < SHORTEST_SEARCH;
  const isEmpty = count === 0 && !isSearching;
  const lateFrom = lateFromOf(search);
  const hasText = count === 0 || isShort || Boolean(error) || lateFrom !== null;
  const look = classNames("grid gap-3 px-4 py-3 text-sm", count > 0 && "border-t border-line");
  return (
    <div className={hasText ? look : "sr-only"}>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}{" "}
          <Button size="small" onClick={onRetry}>
            {texts("shell.tryAgain")}
          </Button>
        </Notice>
      ) : null}
      {lateFrom === null ? null : (
        <Notice tone="plain">
          {texts.rich("shell.searchBehind", { localTime: () => <LocalTime iso={lateFrom} /> })}
        </Notice>
      )}
      <output className={classNames("text-ink-soft", count > 0 && "sr-only")}>
        {isSearching
          ? texts("shell.searching")
          : isEmpty && !error
            ? texts("shell.nothingMatches")
            : texts("shell.countFound", { count })}
      </output>
      {isShort || isEmpty ? <p className="text-ink-soft">{texts("shell.searchHint")}</p> : null}
    </div>
  );
}

/** Where the search was filled to when it answered, if that was late: the service fills it a moment after each change. */
function lateFromOf({ found, foundAt }: Search): string | null {
  const filledUntil = found?.filled_until ?? null;
  return filledUntil !== null && foundAt - Date.parse(filledUntil) >= IS_LATE_AFTER_MS ? filledUntil : null;
}
