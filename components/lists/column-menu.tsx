"use client";
import { Columns3 } from "lucide-react";
import { lazy, Suspense } from "react";
import { Popover } from "../ui/popover";
import type { ListColumn } from "./list-column";
import type { ListAddress } from "./use-list-address";

const ColumnChoices = lazy(() => import("./column-choices"));

export interface ColumnMenuProps {
  readonly columns: readonly Pick<ListColumn<never>, "name" | "label" | "isFixed">[];
  readonly address: ListAddress;
}

/** Hidden on narrow screens, where rows are cards. */
export function ColumnMenu(props: ColumnMenuProps) {
  return (
    <Popover
      className="max-md:hidden"
      label={
        <>
          <Columns3 className="size-4" aria-hidden="true" />
          Columns
        </>
      }
    >
      <Suspense>
        <ColumnChoices {...props} />
      </Suspense>
    </Popover>
  );
}
