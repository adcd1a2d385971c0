// Navigation between the pages about webhooks, for members who may see endpoints.
"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useMay, useShell } from "../shell/shell-context";
import { classNames } from "../ui/class-names";

const tabsIn = (texts: Texts) => [
  { path: "webhooks/endpoints", label: texts("webhooks.endpoints") },
  { path: "webhooks/events", label: texts("webhooks.events") },
  { path: "webhooks", label: texts("webhooks.eventCatalogue") },
];

/** Renders nothing if the member sees only the catalogue. */
export function WebhookTabs() {
  const texts = useTexts();
  const { environment } = useShell();
  const pathname = usePathname();
  if (!useMay("manage_webhooks")) return null;
  return (
    <nav aria-label={texts("webhooks.webhooks")} className="flex gap-6 border-b border-line">
      {tabsIn(texts).map(({ path, label }) => {
        const href = `/${environment}/${path}`;
        const isHere = pathname === href;
        return (
          <Link
            key={path}
            href={href}
            prefetch={false}
            aria-current={isHere ? "page" : undefined}
            className={classNames(
              "-mb-px border-b-2 py-2 text-sm transition-colors duration-150",
              isHere ? "border-accent font-semibold" : "border-transparent text-ink-soft hover:text-ink",
            )}
          >
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
