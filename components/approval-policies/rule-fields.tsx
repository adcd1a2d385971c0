import { MAXIMUM_APPROVALS } from "@/server/domain/approval-policy";
import { Button } from "../ui/button";
import { CompactField } from "../ui/compact-field";
import { CompactSelect } from "../ui/compact-select";
import type { RuleDraft } from "./draft";
import { countText } from "./policy";

/** The conditions of a rule. */
export const COUNTS = Array.from({ length: MAXIMUM_APPROVALS + 1 }, (_, count) => ({
  value: String(count),
  label: countText(count),
}));

interface RuleFieldsProps {
  readonly number: number;
  readonly rule: RuleDraft;
  readonly currencies: readonly string[];
  readonly onChange: (rule: RuleDraft) => void;
  readonly onRemove: () => void;
}

export function RuleFields({ number, rule, currencies, onChange, onRemove }: RuleFieldsProps) {
  const set = (changes: Partial<RuleDraft>) => onChange({ ...rule, ...changes });
  const choices = [{ value: "", label: "Any" }, ...currencies.map((code) => ({ value: code, label: code }))];
  return (
    <fieldset className="grid gap-3 rounded-md border border-line p-3.5">
      <legend className="px-1 text-sm font-medium">Rule {number}</legend>
      <div className="grid grid-cols-2 gap-3">
        <CompactSelect
          label="Currency"
          options={choices}
          value={rule.currency}
          onChange={(currency) => set({ currency })}
        />
        <CompactField
          label="Country"
          placeholder="Any"
          maxLength={2}
          autoComplete="off"
          value={rule.country}
          onChange={(event) => set({ country: event.target.value })}
        />
        <CompactField
          label="Amount at least"
          inputMode="decimal"
          autoComplete="off"
          value={rule.amount}
          onChange={(event) => set({ amount: event.target.value })}
        />
        <CompactField
          label="Day's total at least"
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
        <span>Recipient never paid before</span>
      </label>
      <div className="flex items-end justify-between gap-3">
        <CompactSelect
          label="Asks for"
          options={COUNTS}
          value={String(rule.approvals)}
          onChange={(approvals) => set({ approvals: Number(approvals) })}
        />
        <Button size="small" tone="danger" onClick={onRemove} aria-label={`Remove rule ${number}`}>
          Remove
        </Button>
      </div>
    </fieldset>
  );
}
