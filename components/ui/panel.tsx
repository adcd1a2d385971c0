import type { ReactNode } from "react";
import { classNames } from "./class-names";

interface PanelProps {
  readonly children: ReactNode;
  readonly className?: string;
  /** `raised` for the subject of the page, `outlined` for what accompanies it. */
  readonly look?: "raised" | "outlined";
}

const LOOKS = {
  raised: "border-line bg-surface shadow-raised",
  outlined: "border-line bg-transparent",
} as const;

/** A surface with an edge and default padding, which the content can replace. */
export function Panel({ children, className, look = "raised" }: PanelProps) {
  return <div className={classNames("rounded-lg border p-5 sm:p-6", LOOKS[look], className)}>{children}</div>;
}
