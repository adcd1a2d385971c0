import { CircleAlert, FlaskConical, Info, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

type NoticeTone = "test" | "bad" | "plain";

const TONES: Readonly<Record<NoticeTone, { readonly look: string; readonly Icon: LucideIcon }>> = {
  test: { look: "bg-warn-soft text-warn", Icon: FlaskConical },
  bad: { look: "bg-bad-soft text-bad", Icon: CircleAlert },
  plain: { look: "bg-over-soft text-over", Icon: Info },
};

interface NoticeProps {
  readonly tone: NoticeTone;
  readonly children: ReactNode;
  readonly className?: string;
  /** `alert` for an error that just occurred: screen readers announce it immediately. */
  readonly role?: "alert" | "status" | "note";
}

/** A line or two in a tinted box. */
export function Notice({ tone, children, className, role }: NoticeProps) {
  const { look, Icon } = TONES[tone];
  return (
    <div role={role} className={classNames("flex gap-2.5 rounded-md px-3.5 py-2.5 text-sm", look, className)}>
      <Icon className="mt-0.5 size-4.5 shrink-0" aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
