// The folded filters of a list, loaded when they are unfolded: a period, and the values that its rows have.
"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { dayAt } from "@/server/domain/days";
import type { ViewList } from "@/server/domain/saved-view";
import { useShell } from "../shell/shell-context";
import { useTimeZone } from "../time/time-zone";
import { useNow } from "../time/use-now";
import { useTRPC } from "../trpc/client";
import { Button } from "../ui/button";
import { CompactField } from "../ui/compact-field";
import { CompactSelect } from "../ui/compact-select";
import { useDays } from "./day-bounds";
import { filterWords } from "./filter-words";
import type { FilterField } from "./filters";
import { recentPresets } from "./period-presets";
import type { ListAddress } from "./use-list-address";

interface FilterFormProps {
  readonly list: ViewList;
  readonly address: ListAddress;
  readonly fields: readonly FilterField[];
  readonly onDone: () => void;
}

export default function FilterForm({ list, address, fields, onDone }: FilterFormProps) {
  const { filters } = address;
  const { startOfDay, endOfDay, dayOfStart, dayOfEnd } = useDays();
  const [from, setFrom] = useState(dayOfStart(filters.created_after));
  const [until, setUntil] = useState(dayOfEnd(filters.created_before));
  const [chosen, setChosen] = useState(filters);
  const period = { created_after: startOfDay(from), created_before: endOfDay(until) };
  const optionsOf = useOptions(list, period);
  const choices = fields.filter(({ name }) => name !== "merchant_reference" && !name.startsWith("created_"));

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    address.setFilters({ ...chosen, ...period });
    onDone();
  }

  return (
    <form
      onSubmit={onSubmit}
      className="grid grid-cols-2 gap-4 rounded-lg border border-line bg-surface p-4 md:grid-cols-3 2xl:grid-cols-6"
    >
      <PeriodSelect
        from={from}
        until={until}
        onChoose={(first, last) => {
          setFrom(first);
          setUntil(last);
        }}
      />
      <CompactField label="From" type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
      <CompactField label="Until" type="date" value={until} onChange={(event) => setUntil(event.target.value)} />
      {choices.map(({ name, label }) => (
        <CompactSelect
          key={name}
          label={label}
          value={chosen[name] ?? ""}
          onChange={(value) => setChosen({ ...chosen, [name]: value })}
          options={[{ value: "", label: "Any" }, ...optionsOf(name, chosen[name] ?? "")]}
        />
      ))}
      <div className="col-span-full flex flex-wrap items-center gap-2">
        <Button type="submit" tone="primary" size="medium">
          Apply
        </Button>
        <Button size="medium" tone="quiet" onClick={onDone}>
          Close
        </Button>
        <p className="caption">The counts are of the chosen period, whatever the other filters.</p>
      </div>
    </form>
  );
}

interface PeriodSelectProps {
  /** Days as a date field holds them; empty for no bound. */
  readonly from: string;
  readonly until: string;
  readonly onChoose: (from: string, until: string) => void;
}

/** Fills in the two days of a usual period. */
function PeriodSelect({ from, until, onChoose }: PeriodSelectProps) {
  const presets = recentPresets(dayAt(new Date(useNow()), useTimeZone()));
  const isAll = from === "" && until === "";
  const chosen = presets.find((one) => one.from === from && one.until === until)?.value;

  function choose(value: string): void {
    const preset = presets.find((one) => one.value === value);
    onChoose(preset?.from ?? "", preset?.until ?? "");
  }

  return (
    <CompactSelect
      label="Period"
      value={isAll ? "" : (chosen ?? "custom")}
      onChange={choose}
      options={[
        { value: "", label: "All time" },
        ...presets,
        ...(isAll || chosen ? [] : [{ value: "custom", label: "Chosen days" }]),
      ]}
    />
  );
}

/** The options of a filter: the values with their counts, and the chosen one even if no row has it. */
function useOptions(
  list: ViewList,
  { created_after, created_before }: Record<"created_after" | "created_before", string>,
) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const bounds = { ...(created_after ? { created_after } : {}), ...(created_before ? { created_before } : {}) };
  const { data } = useQuery({
    ...trpc.filterChoices.list.queryOptions({ environment, list, ...bounds }),
    placeholderData: keepPreviousData,
  });
  return (name: string, chosen: string) => {
    const counted = data?.choices[name] ?? [];
    const absent =
      chosen === "" || counted.some(({ value }) => value === chosen) ? [] : [{ value: chosen, count: null }];
    return [...counted, ...absent].map(({ value, count }) => ({
      value,
      label: count === null ? filterWords(name, value) : `${filterWords(name, value)} (${countText(count, data?.cap)})`,
    }));
  };
}

function countText(count: number, cap = Number.POSITIVE_INFINITY): string {
  return count >= cap ? `${cap.toLocaleString("en")}+` : count.toLocaleString("en");
}
