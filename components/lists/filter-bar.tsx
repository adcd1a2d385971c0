// The filters above a list: the search by reference, further filters, and a chip for each active one.
"use client";
import { SlidersHorizontal } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { orderOf } from "@/server/domain/list-order";
import type { ViewList } from "@/server/domain/saved-view";
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";
import { SearchField } from "../ui/search-field";
import type { FilterField } from "./filters";
import type { ListAddress } from "./use-list-address";

const FilterChips = lazy(() => import("./filter-chips"));
const FilterForm = lazy(() => import("./filter-form"));

interface FilterBarProps {
  readonly list: ViewList;
  readonly address: ListAddress;
  readonly fields: readonly FilterField[];
  /** Beside the button that unfolds the filters. */
  readonly children?: ReactNode;
}

/** The reference is always visible; the other filters are initially folded. */
export function FilterBar({ list, address, fields, children }: FilterBarProps) {
  const texts = useTexts();
  const { filters } = address;
  const [isOpen, setOpen] = useState(false);
  const reference = filters.merchant_reference ?? "";
  const hasSeveralStatuses = filters.status?.includes(",") === true;
  const hasChips =
    hasSeveralStatuses || fields.some(({ name }) => filters[name]) || orderOf(address.order.sort) === "oldest_first";

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap gap-2">
        <SearchField
          className="min-w-40 grow basis-0 sm:max-w-80"
          label={texts("lists.referenceSearch")}
          placeholder={texts("lists.merchantReference")}
          value={reference}
          onSearch={(text) => address.setFilter("merchant_reference", text)}
        />
        <Button size="medium" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <SlidersHorizontal className="size-4" aria-hidden="true" />
          {texts("lists.filters")}
        </Button>
        {children}
      </div>
      <Suspense>
        {isOpen ? <FilterForm list={list} address={address} fields={fields} onDone={() => setOpen(false)} /> : null}
      </Suspense>
      {hasChips ? (
        // As high as a row of chips, so that the list below stays in place.
        <Suspense fallback={<div className="h-8" aria-hidden="true" />}>
          <FilterChips address={address} fields={fields} />
        </Suspense>
      ) : null}
    </div>
  );
}
