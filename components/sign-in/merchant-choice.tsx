// Signing in to one of several merchants, after the OpenID provider has said who the person is. A member who has a password
// connects with it once.
"use client";
import { signIn } from "next-auth/react";
import { type SyntheticEvent, useState, useTransition } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useHydrated } from "../time/use-hydrated";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Notice } from "../ui/notice";
import { codeRefusedIn, complaintOf } from "./complaints";

interface Merchant {
  readonly id: string;
  readonly name: string;
  /** False if entering it connects the member there with the provider. */
  readonly isConnected: boolean;
  /** True if that takes the member's password. */
  readonly takesPassword: boolean;
}

interface MerchantChoiceProps {
  readonly merchants: readonly Merchant[];
  /** The target after signing in, within this origin. */
  readonly next: string;
}

export function MerchantChoice({ merchants, next }: MerchantChoiceProps) {
  return (
    <ul className="grid gap-6">
      {merchants.map((merchant) => (
        <li key={merchant.id}>
          <MerchantEntry merchant={merchant} next={next} />
        </li>
      ))}
    </ul>
  );
}

const expiredIn = (texts: Texts) => texts("signIn.tooLate");

/** The codes that this form explains itself. */
const complaintsIn = (texts: Texts): Readonly<Record<string, string>> => ({
  CredentialsSignin: expiredIn(texts),
  CodeRequired: "",
  CodeRefused: codeRefusedIn(texts),
  PasswordRefused: texts("signIn.passwordWrong"),
});

function MerchantEntry({ merchant, next }: { readonly merchant: Merchant; readonly next: string }) {
  const texts = useTexts();
  const { id, name, isConnected, takesPassword } = merchant;
  const [complaint, setComplaint] = useState("");
  const [asksForCode, setAsksForCode] = useState(false);
  const [isSending, startSending] = useTransition();
  const isAlive = useHydrated();

  async function send(form: HTMLFormElement): Promise<void> {
    const values = Object.fromEntries(new FormData(form));
    const answer = await signIn("merchant", { ...values, merchantId: id, redirect: false }).catch(() => undefined);
    if (answer?.ok) {
      // Loads a new document, so that nothing shown to the visitor remains.
      window.location.replace(next);
      return;
    }
    const code = answer?.error ?? "";
    setAsksForCode(code === "CodeRequired" || code === "CodeRefused");
    setComplaint(complaintsIn(texts)[code] ?? complaintOf(texts, code));
  }

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    if (!isSending) startSending(() => send(form));
  }

  return (
    // If submitted before hydration, the form must not put a password into the address: hence post.
    <form method="post" onSubmit={onSubmit} className="grid gap-3">
      {complaint ? (
        <Notice tone="bad" role="alert">
          {complaint}
        </Notice>
      ) : null}
      {takesPassword ? (
        <Field
          id={`password-${id}`}
          name="password"
          label={texts("signIn.password")}
          type="password"
          autoComplete="current-password"
          hint={texts("signIn.connectHint")}
          required
        />
      ) : null}
      {asksForCode ? (
        <Field
          id={`code-${id}`}
          name="code"
          label={texts("signIn.oneTimeCode")}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          // The field appears because the reader has just submitted the form, so it takes the focus.
          ref={(field) => field?.focus()}
        />
      ) : null}
      <Button
        type="submit"
        className="w-full"
        disabled={!isAlive}
        aria-disabled={isSending || undefined}
        aria-describedby={`about-${id}`}
      >
        {name}
      </Button>
      <p id={`about-${id}`} className="text-xs text-ink-soft">
        <span className="font-mono">{id}</span>
        {isConnected ? null : <span className="block">{texts("signIn.neverConnected")}</span>}
      </p>
    </form>
  );
}
