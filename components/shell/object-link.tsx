// A link to the page of an object, by its id.
"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import { addressOfId } from "./navigation";
import { useShell } from "./shell-context";

interface ObjectLinkProps {
  readonly id: string;
  /** The id itself by default. */
  readonly children?: ReactNode;
}

/** Plain text if the object has no page. */
export function ObjectLink({ id, children }: ObjectLinkProps) {
  const shell = useShell();
  const href = addressOfId(shell, id);
  const text = children ?? <span className="font-mono text-xs wrap-anywhere">{id}</span>;
  if (href === null) return text;
  return (
    <Link
      href={href}
      prefetch={false}
      className="rounded-sm font-medium text-accent underline underline-offset-3 wrap-anywhere hover:text-accent-strong"
    >
      {text}
    </Link>
  );
}
