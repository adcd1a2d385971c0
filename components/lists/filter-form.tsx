// The folded filters of a list, loaded when they are unfolded.
"use client";
import type { SyntheticEvent } from "react";
import { Button } from "../ui/button";
import { CompactField } from "../ui/compact-field";
import { useDays } from "./day-bounds";
import type { FilterField } from "./filters";
import { textOf } from "./form-text";
import type { ListAddress } from "./use-list-address";

interface FilterFormProps {
  readonly address: ListAddress;
  readonly fields: readonly FilterField[];
  readonly onDone: () => void;
}

export default function FilterForm({ address, fields, onDone }: FilterFormProps) {
  const { filters } = address;
  const { startOfDay, endOfDay, dayOfStart, dayOfEnd } = useDays();
  const texts = fields.filter(({ name }) => name !== "merchant_reference" && !name.startsWith("created_"));

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const valueOf = (name: string) => textOf(form, name).trim();
    const next: Record<string, string> = { ...filters };
    for (const { name } of texts) next[name] = name === "source_type" ? valueOf(name) : valueOf(name).toUpperCase();
    next.created_after = startOfDay(valueOf("created_after"));
    next.created_before = endOfDay(valueOf("created_before"));
    address.setFilters(next);
    onDone();
  }

  return (
    <form
      onSubmit={onSubmit}
      className="grid gap-4 rounded-lg border border-line bg-surface p-4 sm:grid-cols-3 lg:grid-cols-5"
    >
      <CompactField label="From" name="created_after" type="date" defaultValue={dayOfStart(filters.created_after)} />
      <CompactField label="Until" name="created_before" type="date" defaultValue={dayOfEnd(filters.created_before)} />
      {texts.map(({ name, label }) => (
        <CompactField key={name} label={label} name={name} defaultValue={filters[name] ?? ""} autoComplete="off" />
      ))}
      <div className="flex items-end gap-2 sm:col-span-full">
        <Button type="submit" tone="primary" size="medium">
          Apply
        </Button>
        <Button size="medium" tone="quiet" onClick={onDone}>
          Close
        </Button>
      </div>
    </form>
  );
}
