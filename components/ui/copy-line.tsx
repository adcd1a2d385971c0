import { classNames } from "./class-names";
import { CopyButton } from "./copy-button";

interface CopyLineProps {
  readonly label: string;
  /** The displayed text. */
  readonly value: string;
  /** The copied text, if it differs: an amount without its thousands separators. */
  readonly text?: string;
  readonly isCode?: boolean;
}

/** One row of a description list; must be inside a `<dl>`. */
export function CopyLine({ label, value, text = value, isCode = false }: CopyLineProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-t border-line py-2.5 first:border-t-0">
      <dt className="caption">{label}</dt>
      <dd className={classNames("figures text-sm wrap-anywhere", isCode ? "font-mono" : "font-medium")}>{value}</dd>
      <dd className="col-start-2 row-span-2 row-start-1">
        <CopyButton text={text} what={label.toLowerCase()} />
      </dd>
    </div>
  );
}
