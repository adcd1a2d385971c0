// The switch between test and live: always visible, and leading to the same page of the other environment.
"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { classNames } from "../ui/class-names";
import { addressOfPage, PAGES } from "./navigation";
import { useShell } from "./shell-context";

const namesIn = (texts: Texts) => ({ test: texts("shell.test"), live: texts("shell.live") }) as const;

/** An object exists in one environment only, so its page leads to the other environment's list. */
function pageIn(environment: string, pathname: string): string {
  const here = pathname.split("/").slice(2).join("/");
  const lists = PAGES.filter(({ path }) => path !== "" && (here === path || here.startsWith(`${path}/`)));
  return addressOfPage(environment, lists[0] ?? { path: "" });
}

export function EnvironmentSwitch() {
  const texts = useTexts();
  const { environment } = useShell();
  const pathname = usePathname();
  return (
    <nav aria-label={texts("shell.environment")} className="grid grid-cols-2 gap-1 rounded-md bg-sunken p-1">
      {(["test", "live"] as const).map((name) => (
        <Link
          key={name}
          href={pageIn(name, pathname)}
          prefetch={false}
          aria-current={name === environment ? "true" : undefined}
          className={classNames(
            "grid min-h-8 place-items-center rounded-sm text-xs font-medium",
            name === environment ? "bg-surface font-semibold text-ink shadow-raised" : "text-ink-soft hover:text-ink",
          )}
        >
          {namesIn(texts)[name]}
        </Link>
      ))}
    </nav>
  );
}
