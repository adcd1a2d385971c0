// A served document, read from its file: its text, its sections, and where its links lead.
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { slug } from "github-slugger";
import { addressOfGuide, asGuideName, type GuideName } from "./catalog";

/** A heading and the text below it, up to the next heading. */
interface Section {
  /** The fragment that leads to it, as in the repository. */
  readonly id: string;
  readonly heading: string;
  readonly level: number;
  readonly text: string;
}

export interface Guide {
  readonly name: GuideName;
  readonly title: string;
  /** The Markdown below the title. */
  readonly text: string;
  readonly sections: readonly Section[];
}

/** The fragment of a heading. */
export function anchorOf(heading: string): string {
  return slug(heading);
}

const HEADING = /^(#{1,4}) (.+)$/;
const FENCE = /^```/;

/** Splits Markdown at its headings; a line of a code block is none. */
function sectionsOf(markdown: string): Section[] {
  const sections: { level: number; heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (FENCE.test(line)) isCode = !isCode;
    const [, marks, heading] = (isCode ? null : HEADING.exec(line)) ?? [];
    if (marks && heading) sections.push({ level: marks.length, heading: heading.replaceAll("`", ""), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ level, heading, lines }) => ({
    id: anchorOf(heading),
    heading,
    level,
    text: lines.join("\n").trim(),
  }));
}

const guides = new Map<GuideName, Guide>();

/** Reads a document. A release does not change its documents while it runs, so each is read once. */
export async function readGuide(name: GuideName): Promise<Guide> {
  const known = guides.get(name);
  if (known) return known;
  const markdown = await readFile(join(process.cwd(), "docs", `${name}.md`), "utf8");
  const [title, ...sections] = sectionsOf(markdown);
  if (title?.level !== 1) throw new Error(`docs/${name}.md does not begin with its title`);
  const text = markdown.slice(markdown.indexOf("\n") + 1);
  const guide = { name, title: title.heading, text, sections: [{ ...title, id: "" }, ...sections] };
  guides.set(name, guide);
  return guide;
}

/** Returns Markdown without its marks, on one line; with `isProse`, without its code blocks and tables. */
export function plainText(markdown: string, isProse = false): string {
  const kept = isProse ? markdown.replaceAll(/^```[\s\S]*?^```$|^\|.*$/gm, " ") : markdown;
  return kept
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*|>#]/g, " ")
    .replaceAll(/-{3,}/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ([.,;:)])/g, "$1")
    .trim();
}

/**
 * Returns where a link of a document leads on this instance: a served document, the OpenAPI document, a place on the same
 * page or another site. Null for files of the repository, which this instance does not serve.
 */
export function targetOf(from: GuideName, href: string): string | null {
  if (href.startsWith("https://") || href.startsWith("#")) return href;
  const [path = "", fragment] = href.split("#");
  const file = posix.join(posix.dirname(from), path);
  if (file === "openapi.json") return "/openapi.json";
  const name = asGuideName(file.replace(/\.md$/, ""));
  return name && addressOfGuide(name) + (fragment === undefined ? "" : `#${fragment}`);
}
