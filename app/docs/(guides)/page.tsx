import type { Metadata } from "next";
import Link from "next/link";
import { ButtonLink } from "@/components/ui/button";
import { addressOfGuide, GROUPS } from "@/server/http/guides/catalog";

export const metadata: Metadata = { title: "Documentation" };

export default function DocumentationPage() {
  return (
    <div className="grid gap-10">
      <div className="grid gap-4">
        <h1 className="text-2xl">Documentation</h1>
        <p className="max-w-prose text-ink-soft">
          Everything here is served by this instance and describes the release that it runs.
        </p>
        <p className="flex flex-wrap gap-3">
          <ButtonLink href={addressOfGuide("quickstart")} tone="primary" size="medium">
            Start with the quickstart
          </ButtonLink>
          <ButtonLink href="/docs/reference" size="medium">
            API reference
          </ButtonLink>
        </p>
      </div>
      {GROUPS.map(({ title, guides }) => (
        <section key={title} aria-labelledby={title} className="grid gap-4">
          <h2 id={title} className="text-xl">
            {title}
          </h2>
          <ul className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
            {guides.map((guide) => (
              <li key={guide.name} className="grid content-start gap-1">
                <Link
                  href={addressOfGuide(guide.name)}
                  prefetch={false}
                  className="w-fit rounded-sm font-medium text-accent underline underline-offset-3 hover:text-accent-strong"
                >
                  {guide.title}
                </Link>
                <p className="text-sm text-ink-soft">{guide.lead}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
