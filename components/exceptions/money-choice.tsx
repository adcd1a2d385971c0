// One way to decide about money in suspense.
interface MoneyChoiceProps {
  readonly value: string;
  readonly label: string;
  readonly effect: string;
  readonly isChosen: boolean;
  readonly isFirst: boolean;
  readonly onChoose: () => void;
}

export function MoneyChoice({ value, label, effect, isChosen, isFirst, onChoose }: MoneyChoiceProps) {
  return (
    <label className="flex cursor-pointer gap-3 rounded-md border border-line-strong px-3 py-2.5 has-checked:border-accent has-checked:bg-accent-soft">
      <input
        type="radio"
        name="settlement"
        value={value}
        checked={isChosen}
        onChange={onChoose}
        className="mt-1 size-4 shrink-0 accent-accent"
        {...(isFirst && { "data-first-focus": "" })}
      />
      <span className="grid gap-0.5 text-sm">
        <span className="font-medium">{label}</span>
        <span className="text-xs text-ink-soft">{effect}</span>
      </span>
    </label>
  );
}
