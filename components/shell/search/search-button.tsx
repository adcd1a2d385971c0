// The field in the header that opens the search, which loads then.
"use client";
import { Search } from "lucide-react";
import { useTexts } from "../../i18n/use-texts";
import { useHydrated } from "../../time/use-hydrated";

/** Looks like a field; what is typed goes into the field of the dialog. */
export function SearchButton({ onOpen }: { readonly onOpen: () => void }) {
  const texts = useTexts();
  const isMac = useHydrated() && /Mac|iP/.test(navigator.userAgent);
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="flex min-h-10 min-w-0 max-w-md grow items-center gap-2.5 rounded-md border border-line-strong bg-surface px-3 text-left text-sm text-ink-soft hover:border-ink"
    >
      <Search className="size-4.5 shrink-0" aria-hidden="true" />
      <span className="grow truncate">
        {texts.rich("shell.searchButton", {
          span: (words) => <span className="max-sm:sr-only">{words}</span>,
        })}
      </span>
      <kbd className="w-14 shrink-0 text-right font-mono text-xs max-md:hidden" aria-hidden="true">
        {isMac ? texts("shell.macKeys") : texts("shell.otherKeys")}
      </kbd>
    </button>
  );
}
