// The frame of the documentation's pages: search and list of documents at the side, or folded on narrow screens.
import Link from "next/link";
import type { ReactNode } from "react";
import { GuidesHeader } from "./guides-header";

interface GuideGroup {
  readonly title: string;
  readonly guides: readonly { readonly href: string; readonly title: string }[];
}

interface GuidesFrameProps {
  readonly groups: readonly GuideGroup[];
  readonly children: ReactNode;
}

export function GuidesFrame({ groups, children }: GuidesFrameProps) {
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-ink px-4 py-2 text-sm text-canvas focus:translate-y-0"
      >
        Skip to content
      </a>
      <GuidesHeader />
      <div className="mx-auto grid max-w-6xl gap-x-14 px-5 sm:px-8 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <aside className="hidden max-h-dvh overflow-y-auto py-8 lg:sticky lg:top-0 lg:block lg:self-start">
          <Documents groups={groups} label="Documents" />
        </aside>
        <details className="border-b border-line py-3 lg:hidden">
          <summary className="rounded-sm text-sm font-medium">All documents</summary>
          <div className="pt-4 pb-2">
            <Documents groups={groups} label="All documents" />
          </div>
        </details>
        <main id="content" tabIndex={-1} className="min-w-0 pt-8 pb-20 outline-none">
          {children}
        </main>
      </div>
    </>
  );
}

function Documents({ groups, label }: { readonly groups: readonly GuideGroup[]; readonly label: string }) {
  return (
    <nav aria-label={label} className="grid gap-6">
      {groups.map(({ title, guides }) => (
        <div key={title} className="grid gap-1.5">
          <p className="caption font-medium">{title}</p>
          <ul className="grid gap-0.5">
            {guides.map((guide) => (
              <li key={guide.href}>
                <Link
                  href={guide.href}
                  prefetch={false}
                  className="-mx-2 block rounded-md px-2 py-1 text-sm text-ink hover:bg-sunken hover:text-accent"
                >
                  {guide.title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
