"use client";
import type { SyntheticEvent } from "react";
import { dayAt } from "@/server/domain/days";
import { WALLET_ACCOUNTS } from "@/server/domain/statement";
import { useTexts } from "../i18n/use-texts";
import { useDays } from "../lists/day-bounds";
import { withFilter } from "../lists/filters";
import { textOf } from "../lists/form-text";
import { periodPresets } from "../lists/period-presets";
import type { ListAddress } from "../lists/use-list-address";
import { useTimeZone } from "../time/time-zone";
import { useHydrated } from "../time/use-hydrated";
import { useNow } from "../time/use-now";
import { Button } from "../ui/button";
import { classNames } from "../ui/class-names";
import { CompactField } from "../ui/compact-field";
import { CompactSelect } from "../ui/compact-select";
import { accountLabelsIn, chosenAccount } from "./list-fields";

export function StatementFilters({ address }: { readonly address: ListAddress }) {
  const texts = useTexts();
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
        <legend className="sr-only">{texts("wallet.account")}</legend>
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
            {accountLabelsIn(texts)[account]}
          </button>
        ))}
      </fieldset>
      {/* Days are in the reader's zone, which the server does not know, so this is rendered again in the browser. */}
      <form
        key={`${isHydrated} ${from} ${until}`}
        onSubmit={onSubmit}
        className="flex flex-wrap items-end gap-3 max-sm:w-full max-sm:*:grow"
      >
        <PeriodChoice address={address} />
        <CompactField
          label={texts("wallet.from")}
          name="from"
          type="date"
          defaultValue={isHydrated ? dayOfStart(from) : ""}
        />
        <CompactField
          label={texts("wallet.until")}
          name="until"
          type="date"
          defaultValue={isHydrated ? dayOfEnd(until) : ""}
        />
        <Button type="submit" size="medium">
          {texts("wallet.apply")}
        </Button>
      </form>
    </div>
  );
}

/** Whole months, quarters and years; the days beside it show which days those are. */
function PeriodChoice({ address }: { readonly address: ListAddress }) {
  const texts = useTexts();
  const { created_after: from = "", created_before: until = "" } = address.filters;
  const isHydrated = useHydrated();
  const now = useNow();
  const zone = useTimeZone();
  const { startOfDay, endOfDay } = useDays();
  const presets = isHydrated ? periodPresets(texts, dayAt(new Date(now), zone)) : [];
  const chosen = presets.find((one) => startOfDay(one.from) === from && endOfDay(one.until) === until)?.value;
  const isAll = from === "" && until === "";

  function choose(value: string): void {
    const preset = presets.find((one) => one.value === value);
    const begun = withFilter(address.filters, "created_after", preset ? startOfDay(preset.from) : "");
    address.setFilters(withFilter(begun, "created_before", preset ? endOfDay(preset.until) : ""));
  }

  return (
    <CompactSelect
      label={texts("wallet.period")}
      value={isAll ? "" : (chosen ?? "custom")}
      onChange={choose}
      options={[
        { value: "", label: texts("wallet.allTime") },
        ...presets,
        ...(isAll || chosen ? [] : [{ value: "custom", label: texts("wallet.chosenDays") }]),
      ]}
    />
  );
}
