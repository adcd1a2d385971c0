// The theme is stored in a cookie, so that the server renders the right one.
"use client";
import { useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { classNames } from "../ui/class-names";

const themesIn = (texts: Texts) =>
  [
    ["system", texts("shell.system")],
    ["light", texts("shell.light")],
    ["dark", texts("shell.dark")],
  ] as const;
type Theme = "system" | "light" | "dark";

const A_YEAR_S = 365 * 24 * 60 * 60;

function present(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === "light" || theme === "dark" ? theme : "system";
}

function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `sluice.theme=${theme}; path=/; max-age=${A_YEAR_S}; samesite=lax`;
}

export function ThemeToggle() {
  const texts = useTexts();
  const [theme, setTheme] = useState(present);
  return (
    <div className="grid grid-cols-3 gap-1 px-1">
      {themesIn(texts).map(([name, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={theme === name}
          onClick={() => {
            apply(name);
            setTheme(name);
          }}
          className={classNames(
            "min-h-8 rounded-sm text-xs",
            theme === name ? "bg-accent-soft font-semibold text-accent-strong" : "text-ink-soft hover:bg-sunken",
          )}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
