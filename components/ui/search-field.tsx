// Searches a list: submitted by Enter, focused by the key `/`.
"use client";
import { Search } from "lucide-react";
import type { SyntheticEvent } from "react";

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** The current search text. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
  readonly className?: string;
}

/** The text is local until submitted; a new `value` replaces it. */
export function SearchField({ label, placeholder, value, onSearch, className }: SearchFieldProps) {
  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("search");
    onSearch(typeof typed === "string" ? typed : "");
  }

  return (
    <search className={className}>
      <form onSubmit={onSubmit} className="relative">
        <Search className="absolute top-2.5 left-3 size-4.5 text-ink-soft" aria-hidden="true" />
        <input
          key={value}
          data-search=""
          name="search"
          type="search"
          aria-label={label}
          placeholder={placeholder}
          defaultValue={value}
          className="min-h-10 w-full rounded-md border border-line-strong bg-surface pr-3 pl-9.5 text-sm placeholder:text-ink-soft hover:border-ink"
        />
      </form>
    </search>
  );
}
