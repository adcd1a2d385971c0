// What stands in place of a page without rows, after which more may match. Loaded when that happens.
"use client";
import { useTexts } from "../i18n/use-texts";

export default function Unfinished() {
  const texts = useTexts();
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-dashed border-line-strong px-6 py-16 text-center">
      <p className="font-medium">{texts("lists.noneSoFar")}</p>
      <p className="max-w-md text-sm text-ink-soft">{texts("lists.moreToSearch")}</p>
    </div>
  );
}
