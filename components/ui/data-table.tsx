// A table with columns on wide screens, and one card per object on narrow ones.
import { ArrowDown, ArrowUp } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { classNames } from "./class-names";

/** The width of the window from which a column is shown; below, the object's page shows it. */
export type ShownFrom = keyof typeof HIDDEN_BELOW;

const HIDDEN_BELOW = { lg: "max-lg:hidden", wide: "max-[90rem]:hidden" } as const;

interface Column {
  readonly label: string;
  readonly isNumeric?: boolean;
  /** For screen readers only. */
  readonly isLabelHidden?: boolean;
  readonly from?: ShownFrom;
  /** Beside the label: a control for all rows. */
  readonly control?: ReactNode;
  /** On the column that sorts the rows; pressing it reverses the order. */
  readonly sort?: { readonly direction: "ascending" | "descending"; readonly onSort: () => void };
}

interface DataTableProps {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly children: ReactNode;
}

/** Sorting is set in the header, so narrow screens keep the header of a sortable table visible. */
export function DataTable({ caption, columns, children }: DataTableProps) {
  const isSorted = columns.some(({ sort }) => sort);
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full border-collapse text-sm max-md:block">
        <caption className="sr-only">{caption}</caption>
        <thead className={isSorted ? "max-md:block" : "max-md:sr-only"}>
          <tr className={classNames("border-b border-line", isSorted && "max-md:flex max-md:justify-end")}>
            {columns.map((column) => (
              <HeaderCell key={column.label} {...column} />
            ))}
          </tr>
        </thead>
        <tbody className="max-md:block">{children}</tbody>
      </table>
    </div>
  );
}

function HeaderCell({ label, isNumeric, isLabelHidden, from, control, sort }: Column) {
  const Arrow = sort?.direction === "ascending" ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={sort?.direction}
      className={classNames(
        "px-3 text-xs font-medium whitespace-nowrap text-ink-soft md:first:pl-4 md:last:pr-4",
        isNumeric ? "text-right" : "text-left",
        from && HIDDEN_BELOW[from],
        sort ? "py-0.5" : "py-2.5 max-md:sr-only",
      )}
    >
      {control}
      {sort ? (
        <button
          type="button"
          onClick={sort.onSort}
          className="-mx-2 inline-flex min-h-9 items-center gap-1.5 rounded-sm px-2 hover:bg-sunken hover:text-ink"
        >
          {label}
          <Arrow className="size-3.5" aria-hidden="true" />
        </button>
      ) : isLabelHidden ? (
        <span className="sr-only">{label}</span>
      ) : (
        label
      )}
    </th>
  );
}

interface RowProps {
  readonly children: ReactNode;
  readonly isSelected?: boolean;
  /** Pressing the row beside its links and controls, or Space on its link, shows more of the object. */
  readonly onPeek?: (() => void) | undefined;
}

const OWN_CONTROLS = "a, button, input, label, dialog";

/** A row of 56 px, whatever its state, or on a narrow screen a card. */
export function Row({ children, isSelected = false, onPeek }: RowProps) {
  const onClick = ({ target }: MouseEvent<HTMLTableRowElement>) => {
    const isSelecting = window.getSelection()?.isCollapsed === false;
    if (onPeek && !isSelecting && !(target as HTMLElement).closest(OWN_CONTROLS)) onPeek();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the row's link is the control, also by keyboard; this is a larger target.
    <tr
      onClick={onClick}
      data-peek={onPeek ? "" : undefined}
      className={classNames(
        "group border-b border-line last:border-b-0 max-md:grid max-md:grid-cols-[1fr_auto] max-md:items-center max-md:gap-x-3 max-md:gap-y-1.5 max-md:px-4 max-md:py-3.5 md:h-14",
        onPeek && "md:cursor-pointer",
        isSelected ? "bg-accent-soft" : "hover:bg-canvas",
      )}
    >
      {children}
    </tr>
  );
}

interface CellProps {
  readonly children: ReactNode;
  readonly isNumeric?: boolean;
  /** Takes the full width of the card on narrow screens. */
  readonly isWide?: boolean;
  /** Hidden on narrow screens; the object's page shows it. */
  readonly isDetail?: boolean;
  readonly from?: ShownFrom | undefined;
  readonly className?: string;
}

export function Cell({ children, isNumeric, isWide, isDetail, from, className }: CellProps) {
  return (
    <td
      className={classNames(
        "px-3 py-1 align-middle max-md:block md:first:pl-4 md:last:pr-4 max-md:p-0",
        isNumeric && "text-right whitespace-nowrap",
        isWide && "max-md:col-span-2",
        isDetail && "max-md:hidden",
        from && HIDDEN_BELOW[from],
        className,
      )}
    >
      {children}
    </td>
  );
}
