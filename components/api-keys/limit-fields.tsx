// The fields of a new key that limit it: scopes, networks and the last day.

import { KEY_SCOPES, type KeyScope } from "@/server/domain/key-scopes";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { Field } from "../ui/field";
import { Select } from "../ui/select";
import { type LimitsDraft, PRESETS, type Preset, withPreset } from "./limits-draft";

const presetWordsIn = (texts: Texts): Readonly<Record<Preset, string>> => ({
  everything: texts("keys.everything"),
  read: texts("keys.readOnly"),
  payments: texts("keys.paymentsOnly"),
  custom: texts("keys.custom"),
});

const choicesIn = (texts: Texts) => PRESETS.map((value) => ({ value, label: presetWordsIn(texts)[value] }));

interface LimitFieldsProps {
  readonly draft: LimitsDraft;
  readonly onChange: (draft: LimitsDraft) => void;
}

interface ScopeChoiceProps {
  readonly chosen: readonly KeyScope[];
  readonly onChange: (chosen: readonly KeyScope[]) => void;
}

function ScopeChoice({ chosen, onChange }: ScopeChoiceProps) {
  const texts = useTexts();
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{texts("keys.scopes")}</legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {KEY_SCOPES.map((scope) => (
          <label key={scope} className="flex min-h-8 items-center gap-2.5 text-sm">
            <input
              type="checkbox"
              className="size-4.5 shrink-0 accent-accent"
              checked={chosen.includes(scope)}
              onChange={(event) =>
                onChange(event.target.checked ? [...chosen, scope] : chosen.filter((other) => other !== scope))
              }
            />
            <span className="font-mono text-xs wrap-anywhere">{scope}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function LimitFields({ draft, onChange }: LimitFieldsProps) {
  const texts = useTexts();
  const set = (changes: Partial<LimitsDraft>) => onChange({ ...draft, ...changes });
  return (
    <>
      <Select
        id="key-preset"
        label={texts("keys.whatItMayDo")}
        options={choicesIn(texts)}
        value={draft.preset}
        onChange={(preset) => onChange(withPreset(draft, preset as Preset))}
      />
      {draft.preset === "custom" ? <ScopeChoice chosen={draft.custom} onChange={(custom) => set({ custom })} /> : null}
      <Field
        id="key-networks"
        label={texts("keys.networks")}
        autoComplete="off"
        spellCheck={false}
        placeholder="203.0.113.0/24"
        hint={texts("keys.cidrsHint")}
        value={draft.networks}
        onChange={(event) => set({ networks: event.target.value })}
      />
      <Field
        id="key-last-day"
        label={texts("keys.lastDay")}
        type="date"
        hint={texts("keys.expiryHint")}
        value={draft.lastDay}
        onChange={(event) => set({ lastDay: event.target.value })}
      />
    </>
  );
}
