// A column of a list: its name in the address, and its content for a row.
import type { ReactNode } from "react";
import type { ShownFrom } from "../ui/data-table";

export interface ListColumn<Listed> {
  /** In the address; the REST name if the column shows one field. */
  readonly name: string;
  readonly label: string;
  /** For screen readers only. */
  readonly isLabelHidden?: boolean;
  readonly isNumeric?: boolean;
  /** Takes the full width of the card on narrow screens. */
  readonly isWide?: boolean;
  /** Hidden on narrow screens; the object's page shows it. */
  readonly isDetail?: boolean;
  /** Always shown: the column that identifies a row, and the one with its actions. */
  readonly isFixed?: boolean;
  readonly from?: ShownFrom;
  /** Beside the label: a control for all rows. */
  readonly control?: ReactNode;
  readonly className?: string;
  readonly cell: (row: Listed) => ReactNode;
}

/** The columns that an address names, in their own order; all if it names no existing one. */
export function chosenColumns<Column extends Pick<ListColumn<never>, "name" | "isFixed">>(
  columns: readonly Column[],
  names: readonly string[],
): readonly Column[] {
  const chosen = columns.filter(({ name, isFixed }) => !isFixed && names.includes(name));
  if (chosen.length === 0) return columns;
  return columns.filter((column) => column.isFixed || chosen.includes(column));
}
