// Signing in with the operator's OpenID provider.
"use client";
import { LogIn } from "lucide-react";
import { signIn } from "next-auth/react";
import { useState, useTransition } from "react";
import { useTexts } from "../i18n/use-texts";
import { useHydrated } from "../time/use-hydrated";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { complaintOf, failedIn } from "./complaints";

interface SingleSignOnProps {
  /** Of the provider. */
  readonly name: string;
  /** The target after signing in, within this origin. */
  readonly next: string;
  /** The code of a failed attempt, or null. */
  readonly error: string | null;
}

export function SingleSignOn({ name, next, error }: SingleSignOnProps) {
  const texts = useTexts();
  const [hasFailed, setFailed] = useState(false);
  const [isSending, startSending] = useTransition();
  const isAlive = useHydrated();
  const complaint = hasFailed ? failedIn(texts) : error === null ? null : complaintOf(texts, error);

  async function send(): Promise<void> {
    setFailed(false);
    await signIn("openid", { callbackUrl: next }).catch(() => setFailed(true));
  }

  return (
    <div className="grid gap-4">
      {complaint === null ? null : (
        <Notice tone="bad" role="alert">
          {complaint}
        </Notice>
      )}
      <Button
        tone="primary"
        className="w-full"
        disabled={!isAlive}
        aria-disabled={isSending || undefined}
        onClick={() => isSending || startSending(send)}
      >
        <LogIn className="size-4" aria-hidden="true" />
        {isSending ? texts("signIn.opening") : texts("signIn.signInWithName", { name })}
      </Button>
    </div>
  );
}
