// What the second window shows before and after the provider's pages.
"use client";
import { useEffect, useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { beginFreshSignIn, endFreshSignIn, type FreshOutcome } from "../trpc/fresh-sign-in";
import { Notice } from "../ui/notice";

interface SignInAgainProps {
  /** Names the window that asks; null after the provider's answer. */
  readonly attempt: string | null;
  readonly outcome: FreshOutcome | null;
}

const failedIn = (texts: Texts) => texts("signIn.againFailed");
const refusedIn = (texts: Texts) => texts("signIn.againRefused");

export function SignInAgain({ attempt, outcome }: SignInAgainProps) {
  const texts = useTexts();
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    if (outcome !== null) {
      const hasBegun = endFreshSignIn(outcome);
      if (hasBegun && outcome === "done") window.close();
    } else if (attempt !== null) {
      beginFreshSignIn(attempt).catch(() => setFailed(true));
    }
  }, [attempt, outcome]);

  if (outcome === "done") return <p className="text-sm">{texts("signIn.againDone")}</p>;
  if (outcome === null && attempt !== null && !hasFailed)
    return <p className="text-sm">{texts("signIn.openingYourProvider")}</p>;
  return (
    <Notice tone="bad" role="alert">
      {outcome === "refused" ? refusedIn(texts) : failedIn(texts)}
    </Notice>
  );
}
