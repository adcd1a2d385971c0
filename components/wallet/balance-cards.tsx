// The balances above a statement: one card per currency, which selects the statement to show.
"use client";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { classNames } from "../ui/class-names";
import type { Balance } from "./list-fields";

interface BalanceCardsProps {
  readonly balances: readonly Balance[];
  readonly chosen: string | null;
  readonly onChoose: (currency: string) => void;
}

export function BalanceCards({ balances, chosen, onChoose }: BalanceCardsProps) {
  const texts = useTexts();
  return (
    <ul
      aria-label={texts("wallet.balances")}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-3"
    >
      {balances.map((balance) => (
        <li key={balance.currency}>
          <BalanceCard
            balance={balance}
            isChosen={balance.currency === chosen}
            onChoose={() => onChoose(balance.currency)}
          />
        </li>
      ))}
    </ul>
  );
}

interface BalanceCardProps {
  readonly balance: Balance;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function BalanceCard({ balance: { currency, available, held }, isChosen, onChoose }: BalanceCardProps) {
  const texts = useTexts();
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={classNames(
        "grid h-full w-full gap-1 rounded-lg border bg-surface px-4 py-3 text-left transition-colors duration-150",
        isChosen ? "border-accent shadow-[inset_0_0_0_1px_var(--accent)]" : "border-line hover:border-line-strong",
      )}
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="text-sm font-semibold">{currency}</span>
        <span className="caption">{texts("wallet.available")}</span>
      </span>
      <span className="figures text-right text-lg font-semibold tracking-tight wrap-anywhere">
        {formatAmount(texts, available, currency)}
      </span>
      <span className="flex items-baseline justify-between gap-3 border-t border-line pt-1.5 text-xs text-ink-soft">
        {texts("wallet.held")}
        <span className="figures wrap-anywhere">{formatAmount(texts, held, currency)}</span>
      </span>
    </button>
  );
}
