// The most likely reason why an object is not found: it is in the other environment.
"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useShell } from "./shell-context";

export function EnvironmentHint() {
  const { environment } = useShell();
  const pathname = usePathname();
  const other = environment === "test" ? "live" : "test";
  return (
    <>
      <p className="max-w-prose text-ink-soft">
        The id is mistyped, of another merchant, or of the {other} environment: what exists in one is not in the other.
      </p>
      <Link
        href={pathname.replace(/^\/[^/]+/, `/${other}`)}
        className="font-medium text-accent underline underline-offset-3 hover:text-accent-strong"
      >
        Look in {other}
      </Link>
    </>
  );
}
