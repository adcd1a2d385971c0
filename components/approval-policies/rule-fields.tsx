import { MAXIMUM_APPROVALS } from "@/server/domain/approval-policy";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";
import { CompactField } from "../ui/compact-field";
import { CompactSelect } from "../ui/compact-select";
import type { RuleDraft } from "./draft";
import { countText } from "./policy";

/** The conditions of a rule. */
export const countsIn = (texts: Texts) =>
  Array.from({ length: MAXIMUM_APPROVALS + 1 }, (_, count) => ({
    value: String(count),
    label: countText(texts, count),
  }));

interface RuleFieldsProps {
  readonly number: number;
  readonly rule: RuleDraft;
  readonly currencies: readonly string[];
  readonly onChange: (rule: RuleDraft) => void;
  readonly onRemove: () => void;
}

export function RuleFields({ number, rule, currencies, onChange, onRemove }: RuleFieldsProps) {
  const texts = useTexts();
  const set = (changes: Partial<RuleDraft>) => onChange({ ...rule, ...changes });
  const choices = [
    { value: "", label: texts("policies.any") },
    ...currencies.map((code) => ({ value: code, label: code })),
  ];
  return (
    <fieldset className="grid gap-3 rounded-md border border-line p-3.5">
      <legend className="px-1 text-sm font-medium">{texts("policies.ruleNumber", { number })}</legend>
      <div className="grid grid-cols-2 gap-3">
        <CompactSelect
          label={texts("policies.currency")}
          options={choices}
          value={rule.currency}
          onChange={(currency) => set({ currency })}
        />
        <CompactField
          label={texts("policies.country")}
          placeholder={texts("policies.any")}
          maxLength={2}
          autoComplete="off"
          value={rule.country}
          onChange={(event) => set({ country: event.target.value })}
        />
        <CompactField
          label={texts("policies.amountAtLeast")}
          inputMode="decimal"
          autoComplete="off"
          value={rule.amount}
          onChange={(event) => set({ amount: event.target.value })}
        />
        <CompactField
          label={texts("policies.daysTotalAtLeast")}
          inputMode="decimal"
          autoComplete="off"
          value={rule.total}
          onChange={(event) => set({ total: event.target.value })}
        />
      </div>
      <label className="flex min-h-8 items-center gap-2.5 text-sm">
        <input
          type="checkbox"
          className="size-4.5 shrink-0 accent-accent"
          checked={rule.firstTime}
          onChange={(event) => set({ firstTime: event.target.checked })}
        />
        <span>{texts("policies.recipientNeverPaidBefore")}</span>
      </label>
      <div className="flex items-end justify-between gap-3">
        <CompactSelect
          label={texts("policies.asksFor")}
          options={countsIn(texts)}
          value={String(rule.approvals)}
          onChange={(approvals) => set({ approvals: Number(approvals) })}
        />
        <Button
          size="small"
          tone="danger"
          onClick={onRemove}
          aria-label={texts("policies.removeRuleNumber", { number })}
        >
          {texts("policies.remove")}
        </Button>
      </div>
    </fieldset>
  );
}
