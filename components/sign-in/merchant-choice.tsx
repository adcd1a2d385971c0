// Signing in to one of several merchants, after the OpenID provider has said who the person is.
"use client";
import { signIn } from "next-auth/react";
import { useState, useTransition } from "react";
import { useHydrated } from "../time/use-hydrated";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { complaintOf } from "./complaints";

interface Choice {
  readonly id: string;
  readonly name: string;
  /** False if entering it connects the person's account there with the provider. */
  readonly isConnected: boolean;
}

interface MerchantChoiceProps {
  readonly merchants: readonly Choice[];
  /** The target after signing in, within this origin. */
  readonly next: string;
}

const EXPIRED = "You took longer than five minutes. Begin again at the sign-in page.";

export function MerchantChoice({ merchants, next }: MerchantChoiceProps) {
  const [complaint, setComplaint] = useState<string | null>(null);
  const [isSending, startSending] = useTransition();
  const isAlive = useHydrated();

  async function enter(merchantId: string): Promise<void> {
    const answer = await signIn("merchant", { merchantId, redirect: false }).catch(() => undefined);
    // Loads a new document, so that nothing shown to the visitor remains.
    if (answer?.ok) window.location.replace(next);
    else setComplaint(answer?.error === "CredentialsSignin" ? EXPIRED : complaintOf(answer?.error ?? ""));
  }

  return (
    <div className="grid gap-4">
      {complaint === null ? null : (
        <Notice tone="bad" role="alert">
          {complaint}
        </Notice>
      )}
      <ul className="grid gap-3">
        {merchants.map(({ id, name, isConnected }) => (
          <li key={id} className="grid gap-1">
            <Button
              className="w-full"
              disabled={!isAlive}
              aria-disabled={isSending || undefined}
              aria-describedby={`about-${id}`}
              onClick={() => isSending || startSending(() => enter(id))}
            >
              {name}
            </Button>
            <p id={`about-${id}`} className="text-xs text-ink-soft">
              <span className="font-mono">{id}</span>
              {isConnected ? null : ". You have not signed in here with the provider before."}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
