// The member's language, also for who looks for it beside the password rather than in the menu.
"use client";
import { useTexts } from "../i18n/use-texts";
import { useLanguage } from "../shell/use-language";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { Select } from "../ui/select";

export function LanguagePanel() {
  const texts = useTexts();
  const { value, options, onChoose, hasFailed } = useLanguage();
  return (
    <Panel className="grid gap-4">
      <Select
        id="member-language"
        label={texts("shell.language")}
        options={options}
        value={value}
        onChange={onChoose}
      />
      <p className="caption">{texts("account.languageHint")}</p>
      {hasFailed ? (
        <Notice tone="bad" role="alert">
          {texts("shell.choiceNotSaved")}
        </Notice>
      ) : null}
    </Panel>
  );
}
