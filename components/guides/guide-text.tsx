// A document's Markdown in the look of the dashboard. No HTML of it is passed on.
import Markdown, { type MarkdownToJSX } from "markdown-to-jsx/react";
import type { ReactNode } from "react";
import { CodeBlock } from "../ui/code-block";
import { TextLink } from "../ui/text-link";

interface GuideTextProps {
  readonly markdown: string;
  /** Returns where a link leads, or null if it leads to nothing that this instance serves. */
  readonly targetOf: (href: string) => string | null;
  /** Returns the fragment of a heading. */
  readonly anchorOf: (heading: string) => string;
}

const TITLES: Readonly<Record<string, string>> = {
  sh: "Shell",
  json: "JSON",
  http: "HTTP",
  sql: "SQL",
  ts: "TypeScript",
  js: "JavaScript",
  python: "Python",
  php: "PHP",
  yaml: "YAML",
};

function Code({
  className = "",
  children = "",
}: {
  readonly className?: string;
  readonly children?: string | undefined;
}) {
  const language = className.split("lang-").at(-1) ?? "";
  return <CodeBlock title={TITLES[language] ?? "Text"} code={children.replace(/\n$/, "")} />;
}

function InlineCode({ children }: { readonly children?: ReactNode }) {
  return <code className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-[0.85em] wrap-anywhere">{children}</code>;
}

function Table({ children }: { readonly children?: ReactNode }) {
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer, the focus is the only way to scroll it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- for the same reason
      tabIndex={0}
      className="max-w-full overflow-x-auto rounded-md border border-line"
    >
      <table className="w-full border-collapse text-sm [&_td]:border-t [&_td]:border-line [&_td]:px-3 [&_td]:py-2 [&_td]:align-top [&_td:first-child_code]:whitespace-nowrap [&_th]:px-3 [&_th]:py-2 [&_th]:text-left [&_th]:font-medium">
        {children}
      </table>
    </div>
  );
}

const HEADING = "scroll-mt-6";

export function GuideText({ markdown, targetOf, anchorOf }: GuideTextProps) {
  const options: MarkdownToJSX.Options = {
    slugify: anchorOf,
    forceBlock: true,
    disableParsingRawHTML: true,
    wrapper: "div",
    overrides: {
      a: ({ href = "", children }: { href?: string; children?: ReactNode }) => {
        const target = targetOf(href);
        return target === null ? <span>{children}</span> : <TextLink href={target}>{children}</TextLink>;
      },
      pre: ({ children }: { children?: ReactNode }) => <>{children}</>,
      code: ({ className, children }: { className?: string; children?: string }) =>
        className === undefined ? <InlineCode>{children}</InlineCode> : <Code className={className}>{children}</Code>,
      table: Table,
      h2: { props: { className: `${HEADING} mt-6 text-xl` } },
      h3: { props: { className: `${HEADING} mt-3 text-lg` } },
      h4: { props: { className: `${HEADING} mt-2 text-base` } },
      ul: { props: { className: "grid list-disc gap-1.5 pl-5" } },
      ol: { props: { className: "grid list-decimal gap-1.5 pl-5" } },
      blockquote: { props: { className: "border-l-2 border-line-strong pl-4 text-ink-soft" } },
    },
  };
  return (
    <div className="[&>div]:grid [&>div]:gap-4">
      <Markdown options={options}>{markdown}</Markdown>
    </div>
  );
}
