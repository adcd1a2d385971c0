// The choice between the payouts that await this member and all payouts.
"use client";
import { useTexts } from "../i18n/use-texts";
import { withFilter } from "../lists/filters";
import type { ListAddress } from "../lists/use-list-address";
import { WaitingCount } from "../shell/waiting-count";
import { classNames } from "../ui/class-names";

export function QueueSwitch({ address }: { readonly address: ListAddress }) {
  const texts = useTexts();
  const isQueue = address.filters.queue === "mine";
  const choose = (queue: string) => {
    const { status: _, ...rest } = address.filters;
    address.setFilters(withFilter(rest, "queue", queue));
  };
  return (
    <fieldset className="flex gap-6 border-b border-line">
      <legend className="sr-only">{texts("payouts.whichPayouts")}</legend>
      {[
        ["mine", texts("payouts.waitingForMe")],
        ["", texts("payouts.allPayouts")],
      ].map(([value = "", label]) => {
        const isChosen = isQueue === (value === "mine");
        return (
          <button
            key={value}
            type="button"
            aria-pressed={isChosen}
            onClick={() => choose(value)}
            className={classNames(
              "-mb-px flex min-h-10 items-center gap-2 border-b-2 text-sm",
              isChosen ? "border-accent font-semibold" : "border-transparent text-ink-soft hover:text-ink",
            )}
          >
            {label}
            {value === "mine" ? <WaitingCount /> : null}
          </button>
        );
      })}
    </fieldset>
  );
}
