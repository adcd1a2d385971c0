// Owns panels: the surfaces that content stands on.
import type { ReactNode } from "react";
import { classNames } from "./class-names";

interface PanelProps {
  readonly children: ReactNode;
  readonly className?: string;
  /** `raised` holds the page's subject, `outlined` what stands beside it. */
  readonly look?: "raised" | "outlined";
}

const LOOKS = {
  raised: "border-line bg-surface shadow-raised",
  outlined: "border-line bg-transparent",
} as const;

/** A surface with an edge; the content brings its own padding where it needs another. */
export function Panel({ children, className, look = "raised" }: PanelProps) {
  return <div className={classNames("rounded-lg border p-5 sm:p-6", LOOKS[look], className)}>{children}</div>;
}
