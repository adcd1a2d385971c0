// The columns to choose from, loaded when the menu unfolds.
"use client";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";
import { chosenColumns, type ListColumn } from "./list-column";
import type { ListAddress } from "./use-list-address";

export interface ColumnChoicesProps {
  readonly columns: readonly Pick<ListColumn<never>, "name" | "label" | "isFixed">[];
  readonly address: ListAddress;
}

/** A tick shows immediately; the address and the rows can follow a moment later. */
export default function ColumnChoices({ columns, address }: ColumnChoicesProps) {
  const texts = useTexts();
  const choices = columns.filter(({ isFixed }) => !isFixed).map(({ name, label }) => ({ name, label }));
  const shown = chosenColumns(columns, address.columns).map(({ name }) => name);
  const [ticked, setTicked] = useState(choices.map(({ name }) => name).filter((name) => shown.includes(name)));

  function choose(names: string[]): void {
    setTicked(names);
    address.setColumns(names.length === choices.length ? [] : names);
  }
  const toggled = (name: string) =>
    choices.map((choice) => choice.name).filter((known) => ticked.includes(known) !== (known === name));

  return (
    <fieldset className="grid gap-0.5">
      <legend className="sr-only">{texts("lists.columnsThatAreShown")}</legend>
      {choices.map(({ name, label }) => (
        <label
          key={name}
          className="flex min-h-9 items-center gap-2.5 rounded-sm px-2.5 text-sm whitespace-nowrap hover:bg-sunken"
        >
          <input
            type="checkbox"
            className="size-4.5 accent-accent"
            checked={ticked.includes(name)}
            disabled={ticked.length === 1 && ticked.includes(name)}
            onChange={() => choose(toggled(name))}
          />
          {label}
        </label>
      ))}
      {ticked.length < choices.length ? (
        <Button size="small" tone="quiet" onClick={() => choose(choices.map(({ name }) => name))}>
          {texts("lists.showAll")}
        </Button>
      ) : null}
    </fieldset>
  );
}
