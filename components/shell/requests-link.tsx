// A link to the API requests about an object.
"use client";
import Link from "next/link";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "./shell-context";

export function RequestsLink({ objectId }: { readonly objectId: string }) {
  const texts = useTexts();
  const { environment } = useShell();
  return (
    <Link
      href={`/${environment}/developers/logs?object_id=${encodeURIComponent(objectId)}`}
      prefetch={false}
      className="rounded-sm font-medium text-accent underline underline-offset-3 hover:text-accent-strong"
    >
      {texts("shell.apiRequestsAboutIt")}
    </Link>
  );
}
