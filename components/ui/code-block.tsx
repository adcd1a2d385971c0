"use client";
import { useTexts } from "../i18n/use-texts";
import { CopyButton } from "./copy-button";

interface CodeBlockProps {
  readonly title: string;
  readonly code: string;
  /** The part of the code to point out. */
  readonly marked?: string;
}

/** Commands with a button that copies them; long lines wrap, so nothing scrolls sideways. */
export function CodeBlock({ title, code, marked = "" }: CodeBlockProps) {
  const texts = useTexts();
  const at = marked === "" ? -1 : code.indexOf(marked);
  return (
    <div className="rounded-md border border-line bg-sunken">
      <div className="flex items-center justify-between border-b border-line py-1 pr-1 pl-3.5">
        <span className="caption">{title}</span>
        <CopyButton text={code} what={texts("copy.theCommandsTitle", { title })} />
      </div>
      <pre className="px-3.5 py-3 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap">
        <code>
          {at === -1 ? (
            code
          ) : (
            <>
              {code.slice(0, at)}
              <mark className="rounded-sm bg-accent-soft text-inherit">{marked}</mark>
              {code.slice(at + marked.length)}
            </>
          )}
        </code>
      </pre>
    </div>
  );
}
