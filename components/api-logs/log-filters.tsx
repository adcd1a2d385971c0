"use client";
import { ALL_BUT_GET, API_METHODS } from "@/server/domain/api-method";
import { useDays } from "../lists/day-bounds";
import type { Filters } from "../lists/filters";
import type { ListAddress } from "../lists/use-list-address";
import { classNames } from "../ui/class-names";
import { CompactField } from "../ui/compact-field";
import { CompactSelect } from "../ui/compact-select";
import { SearchField } from "../ui/search-field";

export const LOG_FIELDS = [
  { name: "status_class", label: "Status" },
  { name: "method", label: "Method" },
  { name: "api_key", label: "Key" },
  { name: "request_id", label: "Request" },
  { name: "object_id", label: "Object" },
  { name: "created_after", label: "From" },
  { name: "created_before", label: "Until" },
];

const CLASSES = [
  { value: "", label: "All" },
  { value: "2", label: "Succeeded 2xx" },
  { value: "4", label: "Refused 4xx" },
  { value: "5", label: "Failed 5xx" },
];
const METHODS = [
  { value: "", label: "Any" },
  { value: ALL_BUT_GET, label: "All but GET" },
  ...API_METHODS.map((value) => ({ value, label: value })),
];

/** The filters with that id in place of another: of a request, or of an object. */
function withId({ request_id: _, object_id: _other, ...rest }: Filters, id: string): Filters {
  if (id === "") return rest;
  return { ...rest, [id.startsWith("req_") ? "request_id" : "object_id"]: id };
}

interface LogFiltersProps {
  readonly address: ListAddress;
  readonly keys: readonly { readonly id: string; readonly name: string }[];
}

export function LogFilters({ address, keys }: LogFiltersProps) {
  const { filters } = address;
  const { startOfDay, endOfDay, dayOfStart, dayOfEnd } = useDays();
  const chosen = filters.status_class ?? "";
  const { request_id: request = "", object_id: object = "" } = filters;

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <fieldset className="-mx-4 flex min-w-0 gap-1 overflow-x-auto px-4 py-1 sm:mx-0 sm:px-0">
        <legend className="sr-only">Status</legend>
        {CLASSES.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={chosen === value}
            onClick={() => address.setFilter("status_class", value)}
            className={classNames(
              "min-h-9 shrink-0 rounded-md px-3 text-sm transition-colors duration-150",
              chosen === value ? "bg-ink font-medium text-canvas" : "text-ink-soft hover:bg-sunken hover:text-ink",
            )}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <div className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[minmax(14rem,1.6fr)_repeat(4,minmax(0,1fr))]">
        <SearchField
          className="max-lg:col-span-2"
          label="Show one request, by its Request-Id, or those about one object, by its id"
          placeholder="Request-Id, or id of an object"
          value={request || object}
          onSearch={(text) => address.setFilters(withId(filters, text.trim()))}
        />
        <CompactSelect
          label="Method"
          options={METHODS}
          value={filters.method ?? ""}
          onChange={(value) => address.setFilter("method", value)}
        />
        <CompactSelect
          label="Key"
          options={[{ value: "", label: "Any" }, ...keys.map(({ id: value, name: label }) => ({ value, label }))]}
          value={filters.api_key ?? ""}
          onChange={(value) => address.setFilter("api_key", value)}
        />
        <CompactField
          label="From"
          type="date"
          value={dayOfStart(filters.created_after)}
          onChange={(event) => address.setFilter("created_after", startOfDay(event.target.value))}
        />
        <CompactField
          label="Until"
          type="date"
          value={dayOfEnd(filters.created_before)}
          onChange={(event) => address.setFilter("created_before", endOfDay(event.target.value))}
        />
      </div>
    </div>
  );
}
