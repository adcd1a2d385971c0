"use client";
import { KeyRound } from "lucide-react";
import { signIn } from "next-auth/react";
import { type SyntheticEvent, useRef, useState, useTransition } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useHydrated } from "../time/use-hydrated";
import { signWithPasskey } from "../trpc/passkeys";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Notice } from "../ui/notice";
import { codeRefusedIn } from "./complaints";

/** The same text for every reason: the reason would reveal who is a member. */
const refusedIn = (texts: Texts) => texts("signIn.notSignedIn");
const passkeyRefusedIn = (texts: Texts) => texts("signIn.passkeyFailed");
const unreachableIn = (texts: Texts) => texts("signIn.noAnswer");

/** Gets a challenge, lets the browser's authenticator sign it, and signs in with that. */
async function signInByPasskey() {
  const challenge = await fetch("/api/passkey-challenge", { method: "POST" });
  const assertion = await signWithPasskey((await challenge.json()) as object);
  return signIn("passkey", { assertion: JSON.stringify(assertion), redirect: false });
}

interface SignInFormProps {
  /** The target after signing in, within this origin. */
  readonly next: string;
}

/** Submits the form in place. A failure empties and focuses the password. */
export function SignInForm({ next }: SignInFormProps) {
  const texts = useTexts();
  const password = useRef<HTMLInputElement>(null);
  const [complaint, setComplaint] = useState("");
  const [asksForCode, setAsksForCode] = useState(false);
  const [isSending, startSending] = useTransition();
  const isAlive = useHydrated();

  async function send(form: HTMLFormElement): Promise<void> {
    const values = new FormData(form);
    const answer = await signIn("credentials", {
      email: values.get("email"),
      password: values.get("password"),
      code: values.get("code") ?? "",
      redirect: false,
    }).catch(() => undefined);
    if (answer?.ok) {
      // Loads a new document, so that nothing shown to the visitor remains.
      window.location.replace(next);
      return;
    }
    if (answer?.error === "CodeRequired" || answer?.error === "CodeRefused") {
      setComplaint(answer.error === "CodeRefused" ? codeRefusedIn(texts) : "");
      setAsksForCode(true);
      return;
    }
    setComplaint(answer?.error === "CredentialsSignin" ? refusedIn(texts) : unreachableIn(texts));
    if (password.current) password.current.value = "";
    password.current?.focus();
  }

  async function sendPasskey(): Promise<void> {
    const answer = await signInByPasskey().catch(() => undefined);
    if (answer?.ok) window.location.replace(next);
    else setComplaint(passkeyRefusedIn(texts));
  }

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    if (!isSending) startSending(() => send(form));
  }

  return (
    // If submitted before hydration, the form must not put a password into the address: hence post.
    <form method="post" onSubmit={onSubmit} className="grid gap-4">
      {complaint ? (
        <Notice tone="bad" role="alert">
          {complaint}
        </Notice>
      ) : null}
      <Field id="email" name="email" label={texts("signIn.email")} type="email" autoComplete="username" required />
      <Field
        id="password"
        name="password"
        label={texts("signIn.password")}
        type="password"
        autoComplete="current-password"
        required
        ref={password}
      />
      {asksForCode ? (
        <Field
          id="code"
          name="code"
          label={texts("signIn.oneTimeCode")}
          inputMode="numeric"
          autoComplete="one-time-code"
          hint={texts("signIn.codeHint")}
          required
          // The field appears because the reader has just submitted the form, so it takes the focus.
          ref={(field) => field?.focus()}
        />
      ) : null}
      <Button
        type="submit"
        tone="primary"
        className="mt-1 w-full"
        disabled={!isAlive}
        aria-disabled={isSending || undefined}
      >
        {isSending ? texts("signIn.signingIn") : texts("signIn.signIn")}
      </Button>
      <Button
        className="w-full"
        disabled={!isAlive}
        aria-disabled={isSending || undefined}
        onClick={() => isSending || startSending(sendPasskey)}
      >
        <KeyRound className="size-4" aria-hidden="true" />
        {texts("signIn.signInWithPasskey")}
      </Button>
      <noscript>
        <Notice tone="plain">{texts("signIn.needsJavaScript")}</Notice>
      </noscript>
    </form>
  );
}
