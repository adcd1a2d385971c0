"use client";
import { useTexts } from "../i18n/use-texts";
import { useLanguage } from "./use-language";

/** The choice in the member's menu. */
export function LanguageChoice() {
  const texts = useTexts();
  const { value, options, onChoose, hasFailed } = useLanguage();
  return (
    <label className="grid gap-1 px-1 pt-1">
      <span className="caption px-1.5">{texts("shell.language")}</span>
      <select
        value={value}
        onChange={({ target }) => onChoose(target.value)}
        className="min-h-8 w-full rounded-sm border border-line-strong bg-surface px-1.5 text-xs"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.value || undefined}>
            {option.label}
          </option>
        ))}
      </select>
      {hasFailed ? (
        <span role="alert" className="caption px-1.5 text-bad">
          {texts("shell.choiceNotSaved")}
        </span>
      ) : null}
    </label>
  );
}
