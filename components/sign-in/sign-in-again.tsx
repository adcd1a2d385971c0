// What the second window shows before and after the provider's pages.
"use client";
import { useEffect, useState } from "react";
import { beginFreshSignIn, endFreshSignIn, type FreshOutcome } from "../trpc/fresh-sign-in";
import { Notice } from "../ui/notice";

interface SignInAgainProps {
  /** Names the window that asks; null after the provider's answer. */
  readonly attempt: string | null;
  readonly outcome: FreshOutcome | null;
}

const FAILED = "Signing in again did not work. Close this window and try again.";
const REFUSED = "The provider's answer was not accepted: sign in with your own account, and enter your password there.";

export function SignInAgain({ attempt, outcome }: SignInAgainProps) {
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    if (outcome !== null) {
      const hasBegun = endFreshSignIn(outcome);
      if (hasBegun && outcome === "done") window.close();
    } else if (attempt !== null) {
      beginFreshSignIn(attempt).catch(() => setFailed(true));
    }
  }, [attempt, outcome]);

  if (outcome === "done") return <p className="text-sm">Done. You can close this window.</p>;
  if (outcome === null && attempt !== null && !hasFailed) return <p className="text-sm">Opening your provider…</p>;
  return (
    <Notice tone="bad" role="alert">
      {outcome === "refused" ? REFUSED : FAILED}
    </Notice>
  );
}
