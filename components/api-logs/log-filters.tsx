"use client";
import type { inferRouterOutputs } from "@trpc/server";
import { ALL_BUT_GET, API_METHODS } from "@/server/domain/api-method";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useDays } from "../lists/day-bounds";
import type { Filters } from "../lists/filters";
import type { ListAddress } from "../lists/use-list-address";
import { classNames } from "../ui/class-names";
import { CompactField } from "../ui/compact-field";
import { CompactSelect } from "../ui/compact-select";
import { SearchField } from "../ui/search-field";

const classesIn = (texts: Texts) => [
  { value: "", label: texts("logs.all") },
  { value: "2", label: texts("logs.succeeded2xx") },
  { value: "4", label: texts("logs.refused4xx") },
  { value: "5", label: texts("logs.failed5xx") },
];
const methodsIn = (texts: Texts) => [
  { value: "", label: texts("logs.any") },
  { value: ALL_BUT_GET, label: texts("logs.allButGet") },
  ...API_METHODS.map((value) => ({ value, label: value })),
];

/** The filters with that id in place of another: of a request, or of an object. */
function withId({ request_id: _, object_id: _other, ...rest }: Filters, id: string): Filters {
  if (id === "") return rest;
  return { ...rest, [id.startsWith("req_") ? "request_id" : "object_id"]: id };
}

type Counted = inferRouterOutputs<AppRouter>["apiLogs"]["count"];

/** The number of requests of a class, or of all; followed by a plus if only the newest were counted. */
function countText(texts: Texts, counted: Counted | undefined, statusClass: string): string {
  if (!counted) return "";
  const { by_class: byClass, is_complete: isComplete } = counted;
  const count = statusClass === "" ? Object.values(byClass).reduce((sum, one) => sum + one, 0) : byClass[statusClass];
  if (isComplete) return texts.number(count ?? 0);
  return count ? `${texts.number(count)}+` : "";
}

interface LogFiltersProps {
  readonly address: ListAddress;
  /** Undefined until it is loaded. */
  readonly counted: Counted | undefined;
  readonly keys: readonly { readonly id: string; readonly name: string }[];
}

export function LogFilters({ address, keys, counted }: LogFiltersProps) {
  const texts = useTexts();
  const { filters } = address;
  const { startOfDay, endOfDay, dayOfStart, dayOfEnd } = useDays();
  const chosen = filters.status_class ?? "";
  const { request_id: request = "", object_id: object = "" } = filters;

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <fieldset className="-mx-4 flex min-w-0 gap-1 overflow-x-auto px-4 py-1 sm:mx-0 sm:px-0">
        <legend className="sr-only">{texts("logs.status")}</legend>
        {classesIn(texts).map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={chosen === value}
            onClick={() => address.setFilter("status_class", value)}
            className={classNames(
              "flex min-h-9 shrink-0 items-center gap-2 rounded-md px-3 text-sm transition-colors duration-150",
              chosen === value ? "bg-ink font-medium text-canvas" : "text-ink-soft hover:bg-sunken hover:text-ink",
            )}
          >
            {label}
            <span className="figures min-w-4 text-left text-xs">{countText(texts, counted, value)}</span>
          </button>
        ))}
      </fieldset>
      <div className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[minmax(14rem,1.6fr)_repeat(4,minmax(0,1fr))]">
        <SearchField
          className="max-lg:col-span-2"
          label={texts("logs.searchHint")}
          placeholder={texts("logs.searchPlaceholder")}
          value={request || object}
          onSearch={(text) => address.setFilters(withId(filters, text.trim()))}
        />
        <CompactSelect
          label={texts("logs.method")}
          options={methodsIn(texts)}
          value={filters.method ?? ""}
          onChange={(value) => address.setFilter("method", value)}
        />
        <CompactSelect
          label={texts("logs.key")}
          options={[
            { value: "", label: texts("logs.any") },
            ...keys.map(({ id: value, name: label }) => ({ value, label })),
          ]}
          value={filters.api_key ?? ""}
          onChange={(value) => address.setFilter("api_key", value)}
        />
        <CompactField
          label={texts("logs.from")}
          type="date"
          value={dayOfStart(filters.created_after)}
          onChange={(event) => address.setFilter("created_after", startOfDay(event.target.value))}
        />
        <CompactField
          label={texts("logs.until")}
          type="date"
          value={dayOfEnd(filters.created_before)}
          onChange={(event) => address.setFilter("created_before", endOfDay(event.target.value))}
        />
      </div>
    </div>
  );
}
