// The folded filters of a list, loaded when they are unfolded: a period, and the values that its rows have.
"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { dayAt } from "@/server/domain/days";
import type { ViewList } from "@/server/domain/saved-view";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
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
import { AMOUNT_COMPLAINT, useAmounts } from "./use-amounts";
import type { ListAddress } from "./use-list-address";

interface FilterFormProps {
  readonly list: ViewList;
  readonly address: ListAddress;
  readonly fields: readonly FilterField[];
  readonly onDone: () => void;
}

export default function FilterForm({ list, address, fields, onDone }: FilterFormProps) {
  const texts = useTexts();
  const { filters } = address;
  const { startOfDay, endOfDay, dayOfStart, dayOfEnd } = useDays();
  const [from, setFrom] = useState(dayOfStart(filters.created_after));
  const [until, setUntil] = useState(dayOfEnd(filters.created_before));
  const [chosen, setChosen] = useState(filters);
  const period = { created_after: startOfDay(from), created_before: endOfDay(until) };
  const optionsOf = useOptions(list, period);
  const choices = fields.filter(
    ({ name }) => name !== "merchant_reference" && !name.startsWith("created_") && !name.startsWith("amount_"),
  );
  const currency = chosen.currency ?? "";
  const amounts = useAmounts(filters, currency);

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (amounts.complaint !== null) return;
    address.setFilters({ ...chosen, ...period, ...amounts.bounds });
    onDone();
  }

  const choiceOf = ({ name, labelKey }: FilterField) => (
    <CompactSelect
      key={name}
      label={texts(labelKey)}
      value={chosen[name] ?? ""}
      onChange={(value) => setChosen({ ...chosen, [name]: value })}
      options={[{ value: "", label: texts("lists.any") }, ...optionsOf(name, chosen[name] ?? "")]}
    />
  );

  return (
    <form
      onSubmit={onSubmit}
      className="grid grid-cols-2 gap-4 rounded-lg border border-line bg-surface p-4 md:grid-cols-3 2xl:grid-cols-8"
    >
      <PeriodSelect
        from={from}
        until={until}
        onChoose={(first, last) => {
          setFrom(first);
          setUntil(last);
        }}
      />
      <CompactField
        label={texts("lists.from")}
        type="date"
        value={from}
        onChange={(event) => setFrom(event.target.value)}
      />
      <CompactField
        label={texts("lists.until")}
        type="date"
        value={until}
        onChange={(event) => setUntil(event.target.value)}
      />
      {choices.slice(0, 1).map(choiceOf)}
      <AmountField label={texts("lists.amountFrom")} currency={currency} {...amounts.from} />
      <AmountField label={texts("lists.amountTo")} currency={currency} {...amounts.to} />
      {choices.slice(1).map(choiceOf)}
      {amounts.complaint === null ? null : (
        <p id={AMOUNT_COMPLAINT} role="alert" className="col-span-full text-xs text-bad">
          {amounts.complaint}
        </p>
      )}
      <div className="col-span-full flex flex-wrap items-center gap-2">
        <Button type="submit" tone="primary" size="medium">
          {texts("lists.apply")}
        </Button>
        <Button size="medium" tone="quiet" onClick={onDone}>
          {texts("lists.close")}
        </Button>
        <p className="caption">{texts("lists.countsHint")}</p>
      </div>
    </form>
  );
}

interface AmountFieldProps {
  readonly label: string;
  /** Empty while none is chosen: an amount has no meaning then. */
  readonly currency: string;
  readonly typed: string;
  readonly isWrong: boolean;
  readonly onType: (typed: string) => void;
}

function AmountField({ label, currency, typed, isWrong, onType }: AmountFieldProps) {
  const texts = useTexts();
  return (
    <CompactField
      label={label}
      inputMode="decimal"
      autoComplete="off"
      disabled={currency === ""}
      placeholder={currency === "" ? texts("lists.chooseACurrency") : currency}
      value={currency === "" ? "" : typed}
      aria-invalid={isWrong || undefined}
      aria-describedby={isWrong ? AMOUNT_COMPLAINT : undefined}
      onChange={(event) => onType(event.target.value)}
    />
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
  const texts = useTexts();
  const presets = recentPresets(texts, dayAt(new Date(useNow()), useTimeZone()));
  const isAll = from === "" && until === "";
  const chosen = presets.find((one) => one.from === from && one.until === until)?.value;

  function choose(value: string): void {
    const preset = presets.find((one) => one.value === value);
    onChoose(preset?.from ?? "", preset?.until ?? "");
  }

  return (
    <CompactSelect
      label={texts("lists.period")}
      value={isAll ? "" : (chosen ?? "custom")}
      onChange={choose}
      options={[
        { value: "", label: texts("lists.allTime") },
        ...presets,
        ...(isAll || chosen ? [] : [{ value: "custom", label: texts("lists.chosenDays") }]),
      ]}
    />
  );
}

/** The options of a filter: the values with their counts, and the chosen one even if no row has it. */
function useOptions(
  list: ViewList,
  { created_after, created_before }: Record<"created_after" | "created_before", string>,
) {
  const texts = useTexts();
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
      label:
        count === null
          ? filterWords(texts, name, value)
          : `${filterWords(texts, name, value)} (${countText(texts, count, data?.cap)})`,
    }));
  };
}

function countText(texts: Texts, count: number, cap = Number.POSITIVE_INFINITY): string {
  return count >= cap ? `${texts.number(cap)}+` : texts.number(count);
}
