import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { GuideText } from "@/components/guides/guide-text";
import { asGuideName } from "@/server/http/guides/catalog";
import { anchorOf, readGuide, targetOf } from "@/server/http/guides/guide";

interface GuidePageProps {
  readonly params: Promise<{ readonly slug: readonly string[] }>;
}

async function guideOf({ params }: GuidePageProps) {
  const name = asGuideName((await params).slug.join("/"));
  return name && readGuide(name);
}

export async function generateMetadata(props: GuidePageProps): Promise<Metadata> {
  const guide = await guideOf(props);
  return { title: guide?.title ?? "Not found" };
}

export default async function GuidePage(props: GuidePageProps) {
  const guide = await guideOf(props);
  if (!guide) notFound();
  const chapters = guide.sections.filter(({ level }) => level === 2);
  return (
    <article className="grid max-w-[46rem] gap-6">
      <h1 className="text-2xl">{guide.title}</h1>
      {chapters.length > 2 ? (
        <nav aria-label="On this page">
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            {chapters.map(({ id, heading }) => (
              <li key={id}>
                <a href={`#${id}`} className="rounded-sm text-ink-soft underline underline-offset-3 hover:text-accent">
                  {heading}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      <GuideText markdown={guide.text} anchorOf={anchorOf} targetOf={(href) => targetOf(guide.name, href)} />
    </article>
  );
}
