"use client";
import { Columns3 } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button";
import { Popover } from "../ui/popover";
import { chosenColumns, type ListColumn } from "./list-column";
import type { ListAddress } from "./use-list-address";

interface ColumnMenuProps {
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
      <Choices {...props} />
    </Popover>
  );
}

/** A tick shows immediately; the address and the rows can follow a moment later. */
function Choices({ columns, address }: ColumnMenuProps) {
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
      <legend className="sr-only">Columns that are shown</legend>
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
          Show all
        </Button>
      ) : null}
    </fieldset>
  );
}
