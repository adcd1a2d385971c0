// Navigation between the pages about webhooks, for members who may see endpoints.
"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useMay, useShell } from "../shell/shell-context";
import { classNames } from "../ui/class-names";

const TABS = [
  { path: "webhooks/endpoints", label: "Endpoints" },
  { path: "webhooks/events", label: "Events" },
  { path: "webhooks", label: "Event catalogue" },
];

/** Renders nothing if the member sees only the catalogue. */
export function WebhookTabs() {
  const { environment } = useShell();
  const pathname = usePathname();
  if (!useMay("manage_webhooks")) return null;
  return (
    <nav aria-label="Webhooks" className="flex gap-6 border-b border-line">
      {TABS.map(({ path, label }) => {
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
