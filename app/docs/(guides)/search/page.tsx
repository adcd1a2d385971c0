import type { Metadata } from "next";
import Link from "next/link";
import { searchGuides } from "@/server/http/guides/search";

export const metadata: Metadata = { title: "Search", robots: { index: false } };

interface SearchPageProps {
  readonly searchParams: Promise<{ readonly q?: string | string[] }>;
}

export default async function SearchPage({ searchParams }: SearchPageProps) {
  const { q } = await searchParams;
  const query = typeof q === "string" ? q.trim() : "";
  const hits = await searchGuides(query);
  return (
    <div className="grid max-w-[46rem] gap-6">
      <h1 className="text-2xl wrap-anywhere">{query === "" ? "Search" : `Search: ${query}`}</h1>
      {hits.length === 0 ? (
        <p className="text-ink-soft">
          {query === "" ? "Type words into the field above." : "No document contains all of these words."}
        </p>
      ) : (
        <ol className="grid gap-5">
          {hits.map(({ href, title, place, excerpt }) => (
            <li key={href} className="grid gap-0.5">
              <p className="caption">{place}</p>
              <Link
                href={href}
                prefetch={false}
                className="w-fit rounded-sm font-medium text-accent underline underline-offset-3 hover:text-accent-strong"
              >
                {title}
              </Link>
              <p className="text-sm text-ink-soft wrap-anywhere">{excerpt}</p>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
