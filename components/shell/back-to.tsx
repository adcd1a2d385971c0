import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import { addressOfPage } from "./navigation";
import { useShell } from "./shell-context";

interface BackToProps {
  /** The page's path below the environment. */
  readonly path: "developers/logs" | "payouts" | "reconciliation" | "webhooks/endpoints" | "webhooks/events";
  readonly label: string;
}

/** The link above the pages that belong to another page. */
export function BackTo({ path, label }: BackToProps) {
  const { environment } = useShell();
  return (
    <Link
      href={addressOfPage(environment, { path })}
      prefetch={false}
      className="flex w-fit items-center gap-1.5 rounded-sm text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft className="size-4" aria-hidden="true" />
      {label}
    </Link>
  );
}
