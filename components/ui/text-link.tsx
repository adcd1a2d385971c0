// Owns links in running text.
import type { ReactNode } from "react";

interface TextLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

/** A plain link: underlined, since colour alone tells nobody. The browser loads what it leads to afresh. */
export function TextLink({ href, children }: TextLinkProps) {
  return (
    <a href={href} className="font-medium text-accent underline underline-offset-3 hover:text-accent-strong">
      {children}
    </a>
  );
}
