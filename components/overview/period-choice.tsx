// The overview's period: the last days, or a range of days.
"use client";
import { type SyntheticEvent, useState } from "react";
import { countDays } from "@/server/domain/days";
import { LONGEST_PERIOD, PERIODS } from "@/server/domain/figures";
import { useTexts } from "../i18n/use-texts";
import { textOf } from "../lists/form-text";
import type { ListAddress } from "../lists/use-list-address";
import { Button } from "../ui/button";
import { ChoiceButton } from "../ui/choice-button";
import { CompactField } from "../ui/compact-field";
import { chosenPeriod, type Period, withPeriod } from "./overview-address";

interface PeriodChoiceProps {
  readonly address: ListAddress;
  /** The days shown now, as the starting point of a new choice. */
  readonly shown: { readonly from: string; readonly to: string } | undefined;
}

export function PeriodChoice({ address, shown }: PeriodChoiceProps) {
  const texts = useTexts();
  const chosen = chosenPeriod(address.filters);
  const isCustom = "from" in chosen;
  const [isOpen, setOpen] = useState(isCustom);
  function choose(period: Period): void {
    address.setFilters(withPeriod(address.filters, period));
    setOpen("from" in period);
  }
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3 sm:justify-end">
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">{texts("overview.periodLabel")}</legend>
        {PERIODS.map((days) => (
          <ChoiceButton key={days} isChosen={!isCustom && chosen.days === days} onChoose={() => choose({ days })}>
            {texts("overview.daysDays", { days })}
          </ChoiceButton>
        ))}
        <ChoiceButton isChosen={isCustom} isExpanded={isOpen || isCustom} onChoose={() => setOpen(!isOpen)}>
          {texts("overview.custom")}
        </ChoiceButton>
      </fieldset>
      {isOpen || isCustom ? <CustomDays shown={isCustom ? chosen : shown} onChoose={choose} /> : null}
    </div>
  );
}

interface CustomDaysProps {
  readonly shown: PeriodChoiceProps["shown"];
  readonly onChoose: (period: Period) => void;
}

function CustomDays({ shown, onChoose }: CustomDaysProps) {
  const texts = useTexts();
  const [problem, setProblem] = useState<string | null>(null);

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [from, to] = [textOf(form, "from"), textOf(form, "to")];
    const days = countDays(from, to);
    if (days >= 1 && days <= LONGEST_PERIOD) {
      setProblem(null);
      onChoose({ from, to });
    } else
      setProblem(
        days > LONGEST_PERIOD
          ? texts("overview.periodTooLong", { longestPeriod: LONGEST_PERIOD })
          : texts("overview.periodReversed"),
      );
  }

  return (
    <form key={`${shown?.from} ${shown?.to}`} onSubmit={onSubmit} className="flex flex-wrap items-end gap-2">
      <CompactField label={texts("overview.from")} name="from" type="date" required defaultValue={shown?.from ?? ""} />
      <CompactField label={texts("overview.until")} name="to" type="date" required defaultValue={shown?.to ?? ""} />
      <Button type="submit" size="medium">
        {texts("overview.apply")}
      </Button>
      {problem === null ? null : (
        <p role="alert" className="w-full text-sm text-bad">
          {problem}
        </p>
      )}
    </form>
  );
}
