"use client";
import { useRouter } from "next/navigation";
import { signOut } from "next-auth/react";
import { useTransition } from "react";
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";

/** Ends the session and shows the page as visitors see it. */
export function SignOutButton() {
  const texts = useTexts();
  const router = useRouter();
  const [isSending, startSending] = useTransition();

  async function send(): Promise<void> {
    await signOut({ redirect: false });
    router.refresh();
  }

  return (
    <Button size="small" aria-disabled={isSending || undefined} onClick={() => startSending(send)}>
      {texts("signIn.signOut")}
    </Button>
  );
}
