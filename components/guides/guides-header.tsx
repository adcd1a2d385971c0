// The line at the top of the documentation: where one is, the search, and the ways to the reference and the dashboard.
import { Search } from "lucide-react";
import Link from "next/link";
import { Wordmark } from "../ui/mark";

const LINK = "rounded-sm px-1 py-1 text-sm font-medium hover:text-accent";

/** The search is a plain form: it works without scripts. */
export function GuidesHeader() {
  return (
    <header className="border-b border-line">
      <div className="mx-auto flex min-h-16 max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-5 py-2.5 sm:px-8">
        <Link href="/" className="rounded-sm">
          <Wordmark />
        </Link>
        <nav aria-label="Documentation" className="flex flex-wrap items-center gap-x-4">
          <Link href="/docs" className={LINK}>
            Guides
          </Link>
          <Link href="/docs/reference" prefetch={false} className={LINK}>
            API reference
          </Link>
          <Link href="/dashboard" prefetch={false} className={LINK}>
            Dashboard
          </Link>
        </nav>
        <search className="w-full sm:ml-auto sm:w-64">
          <form action="/docs/search" className="relative">
            <Search className="absolute top-2.5 left-3 size-4.5 text-ink-soft" aria-hidden="true" />
            <input
              name="q"
              type="search"
              aria-label="Search the documentation"
              placeholder="Search"
              maxLength={100}
              className="min-h-10 w-full rounded-md border border-line-strong bg-surface pr-3 pl-9.5 text-sm placeholder:text-ink-soft hover:border-ink"
            />
          </form>
        </search>
      </div>
    </header>
  );
}
