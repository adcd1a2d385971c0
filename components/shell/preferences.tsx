// The member's theme, time zone and language, loaded when the menu unfolds.
"use client";
import { IS_DASHBOARD_TRANSLATED } from "@/server/domain/dashboard-languages";
import { useTexts } from "../i18n/use-texts";
import { LanguageChoice } from "./language-choice";
import { ThemeToggle } from "./theme-toggle";
import { TimeZoneChoice } from "./time-zone-choice";

export default function Preferences() {
  const texts = useTexts();
  return (
    <>
      <p className="caption px-2.5 pt-1">{texts("shell.theme")}</p>
      <ThemeToggle />
      <TimeZoneChoice />
      {IS_DASHBOARD_TRANSLATED ? <LanguageChoice /> : null}
    </>
  );
}
