"use client";
import type { SyntheticEvent } from "react";
import { WALLET_ACCOUNTS } from "@/server/domain/statement";
import { useDays } from "../lists/day-bounds";
import { withFilter } from "../lists/filters";
import { textOf } from "../lists/form-text";
import type { ListAddress } from "../lists/use-list-address";
import { useHydrated } from "../time/use-hydrated";
import { Button } from "../ui/button";
import { classNames } from "../ui/class-names";
import { CompactField } from "../ui/compact-field";
import { ACCOUNT_LABELS, chosenAccount } from "./list-fields";

export function StatementFilters({ address }: { readonly address: ListAddress }) {
  const { created_after: from, created_before: until } = address.filters;
  const isHydrated = useHydrated();
  const { startOfDay, endOfDay, dayOfStart, dayOfEnd } = useDays();
  const chosen = chosenAccount(address.filters);

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const begun = withFilter(address.filters, "created_after", startOfDay(textOf(form, "from")));
    address.setFilters(withFilter(begun, "created_before", endOfDay(textOf(form, "until"))));
  }

  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <fieldset className="flex gap-6 border-b border-line">
        <legend className="sr-only">Account</legend>
        {WALLET_ACCOUNTS.map((account) => (
          <button
            key={account}
            type="button"
            aria-pressed={account === chosen}
            onClick={() => address.setFilter("account", account === "available" ? "" : account)}
            className={classNames(
              "-mb-px min-h-10 border-b-2 text-sm",
              account === chosen ? "border-accent font-semibold" : "border-transparent text-ink-soft hover:text-ink",
            )}
          >
            {ACCOUNT_LABELS[account]}
          </button>
        ))}
      </fieldset>
      {/* Days are in the reader's zone, which the server does not know, so this is rendered again in the browser. */}
      <form key={`${isHydrated} ${from} ${until}`} onSubmit={onSubmit} className="flex flex-wrap items-end gap-3">
        <CompactField label="From" name="from" type="date" defaultValue={isHydrated ? dayOfStart(from) : ""} />
        <CompactField label="Until" name="until" type="date" defaultValue={isHydrated ? dayOfEnd(until) : ""} />
        <Button type="submit" size="medium">
          Apply
        </Button>
      </form>
    </div>
  );
}
