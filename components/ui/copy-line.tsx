import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { CopyButton } from "./copy-button";

interface ValueLineProps {
  readonly label: string;
  readonly value: string;
  readonly isCode?: boolean;
  /** The control that copies the value. */
  readonly children: ReactNode;
}

/** One row of a description list; must be inside a `<dl>`. */
export function ValueLine({ label, value, isCode = false, children }: ValueLineProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-t border-line py-2.5 first:border-t-0">
      <dt className="caption">{label}</dt>
      <dd className={classNames("figures text-sm wrap-anywhere", isCode ? "font-mono" : "font-medium")}>
        <bdi>{value}</bdi>
      </dd>
      <dd className="col-start-2 row-span-2 row-start-1">{children}</dd>
    </div>
  );
}

interface CopyLineProps extends Omit<ValueLineProps, "children"> {
  /** The copied text, if it differs: an amount without its thousands separators. */
  readonly text?: string;
}

/** A row whose value can be copied, in English. */
export function CopyLine({ text, ...line }: CopyLineProps) {
  return (
    <ValueLine {...line}>
      <CopyButton text={text ?? line.value} what={line.label.toLowerCase()} />
    </ValueLine>
  );
}
