// The statuses above a list, each with its number of rows.
"use client";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { classNames } from "../ui/class-names";
import { type AnyStatus, STATUS_LOOKS } from "../ui/status-badge";

interface StatusTabsProps {
  readonly statuses: readonly AnyStatus[];
  /** The statuses of the address, separated by commas; empty for all. */
  readonly chosen: string;
  readonly counts: Readonly<Record<string, number>> | undefined;
  readonly onChoose: (status: string) => void;
}

/** The maximum count. */
const CAP = 1_000;

function countText(texts: Texts, count: number | undefined): string {
  if (count === undefined) return "";
  return count >= CAP ? `${texts.number(CAP)}+` : texts.number(count);
}

/** Buttons, not ARIA tabs: each filters the same list. */
export function StatusTabs({ statuses, chosen, counts, onChoose }: StatusTabsProps) {
  const texts = useTexts();
  const sum = counts && statuses.reduce((total, status) => total + (counts[status] ?? 0), 0);
  const tabs = [
    { value: "", label: texts("lists.all"), count: sum },
    ...statuses.map((status) => ({
      value: status,
      label: texts(STATUS_LOOKS[status].labelKey),
      count: counts?.[status],
    })),
  ];
  const isChosen = (value: string) => (value === "" ? chosen === "" : chosen.split(",").includes(value));
  return (
    <fieldset className="-ml-4 flex min-w-0 grow gap-1 overflow-x-auto py-1 pl-4 sm:ml-0 sm:pl-0">
      <legend className="sr-only">{texts("lists.status")}</legend>
      {tabs.map(({ value, label, count }) => (
        <button
          key={value}
          type="button"
          aria-pressed={isChosen(value)}
          onClick={() => onChoose(value)}
          className={classNames(
            "flex min-h-9 shrink-0 items-center gap-2 rounded-md px-3 text-sm transition-colors duration-150",
            isChosen(value) ? "bg-ink font-medium text-canvas" : "text-ink-soft hover:bg-sunken hover:text-ink",
          )}
        >
          {label}
          <span className={classNames("figures text-xs", isChosen(value) ? "text-canvas" : "text-ink-soft")}>
            {countText(texts, count)}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
