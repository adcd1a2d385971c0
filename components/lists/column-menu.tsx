"use client";
import { Columns3 } from "lucide-react";
import { lazy, Suspense } from "react";
import { useTexts } from "../i18n/use-texts";
import { Popover } from "../ui/popover";
import type { ColumnChoicesProps } from "./column-choices";

const ColumnChoices = lazy(() => import("./column-choices"));

/** Hidden on narrow screens, where rows are cards. */
export function ColumnMenu(props: ColumnChoicesProps) {
  const texts = useTexts();
  return (
    <Popover
      className="max-md:hidden"
      label={
        <>
          <Columns3 className="size-4" aria-hidden="true" />
          {texts("lists.columns")}
        </>
      }
    >
      <Suspense>
        <ColumnChoices {...props} />
      </Suspense>
    </Popover>
  );
}
