// Owns the columns of a list of objects: what each is called in the address, and what it shows of a row.
import type { ReactNode } from "react";

export interface ListColumn<Listed> {
  /** In the address; REST's name where the column shows one field. */
  readonly name: string;
  readonly label: string;
  /** Said to screen readers only. */
  readonly isLabelHidden?: boolean;
  readonly isNumeric?: boolean;
  /** Takes the card's whole width on narrow screens. */
  readonly isWide?: boolean;
  /** Not shown on narrow screens, where the object's page tells it. */
  readonly isDetail?: boolean;
  /** Shown whatever is chosen: what a row is known by, and what can be done with it. */
  readonly isFixed?: boolean;
  readonly className?: string;
  readonly cell: (row: Listed) => ReactNode;
}

/** The columns that an address asks for, in their own order; all of them where it asks for none that exists. */
export function chosenColumns<Column extends Pick<ListColumn<never>, "name" | "isFixed">>(
  columns: readonly Column[],
  names: readonly string[],
): readonly Column[] {
  const asked = columns.filter(({ name, isFixed }) => !isFixed && names.includes(name));
  if (asked.length === 0) return columns;
  return columns.filter((column) => column.isFixed || asked.includes(column));
}
