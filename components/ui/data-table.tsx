// A table with columns on wide screens, and one card per object on narrow ones.
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

interface Column {
  readonly label: string;
  readonly isNumeric?: boolean;
  /** For screen readers only. */
  readonly isLabelHidden?: boolean;
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

function HeaderCell({ label, isNumeric, isLabelHidden, sort }: Column) {
  const Arrow = sort?.direction === "ascending" ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={sort?.direction}
      className={classNames(
        "px-4 text-xs font-medium whitespace-nowrap text-ink-soft",
        isNumeric ? "text-right" : "text-left",
        sort ? "py-0.5" : "py-2.5 max-md:sr-only",
      )}
    >
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
}

/** A row, or on a narrow screen a card. */
export function Row({ children, isSelected = false }: RowProps) {
  return (
    <tr
      className={classNames(
        "border-b border-line last:border-b-0 max-md:grid max-md:grid-cols-[1fr_auto] max-md:items-center max-md:gap-x-3 max-md:gap-y-1.5 max-md:px-4 max-md:py-3.5",
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
  readonly className?: string;
}

export function Cell({ children, isNumeric, isWide, isDetail, className }: CellProps) {
  return (
    <td
      className={classNames(
        "px-4 py-3 align-middle max-md:block max-md:p-0",
        isNumeric && "text-right whitespace-nowrap",
        isWide && "max-md:col-span-2",
        isDetail && "max-md:hidden",
        className,
      )}
    >
      {children}
    </td>
  );
}
