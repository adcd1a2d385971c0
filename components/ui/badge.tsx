// A small tinted label: a word, an icon and a color, never color alone.
import type { LucideIcon } from "lucide-react";
import { classNames } from "./class-names";

export type BadgeTone = "good" | "busy" | "warn" | "bad" | "over";

export const BADGE_TONES: Readonly<Record<BadgeTone, string>> = {
  good: "bg-good-soft text-good",
  busy: "bg-busy-soft text-busy",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  over: "bg-over-soft text-over",
};

interface BadgeProps {
  readonly tone: BadgeTone;
  readonly Icon: LucideIcon;
  readonly label: string;
}

export function Badge({ tone, Icon, label }: BadgeProps) {
  return (
    <span
      className={classNames(
        "inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-sm px-2 text-xs font-medium whitespace-nowrap",
        BADGE_TONES[tone],
      )}
    >
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      <span className="truncate" title={label}>
        {label}
      </span>
    </span>
  );
}
