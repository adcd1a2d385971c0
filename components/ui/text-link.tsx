import type { ReactNode } from "react";

interface TextLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

/** An underlined link, since color alone is not enough. The browser loads its target as a new document. */
export function TextLink({ href, children }: TextLinkProps) {
  return (
    <a href={href} className="font-medium text-accent underline underline-offset-3 hover:text-accent-strong">
      {children}
    </a>
  );
}
