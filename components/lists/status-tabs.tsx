// The statuses above a list, each with its number of rows.
"use client";
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

function countText(count: number | undefined): string {
  if (count === undefined) return "";
  return count >= CAP ? "1,000+" : count.toLocaleString("en");
}

/** Buttons, not ARIA tabs: each filters the same list. */
export function StatusTabs({ statuses, chosen, counts, onChoose }: StatusTabsProps) {
  const sum = counts && statuses.reduce((total, status) => total + (counts[status] ?? 0), 0);
  const tabs = [
    { value: "", label: "All", count: sum },
    ...statuses.map((status) => ({ value: status, label: STATUS_LOOKS[status].label, count: counts?.[status] })),
  ];
  const isChosen = (value: string) => (value === "" ? chosen === "" : chosen.split(",").includes(value));
  return (
    <fieldset className="-ml-4 flex min-w-0 grow gap-1 overflow-x-auto py-1 pl-4 sm:ml-0 sm:pl-0">
      <legend className="sr-only">Status</legend>
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
            {countText(count)}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
