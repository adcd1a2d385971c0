"use client";
import { type SyntheticEvent, useEffect, useState, useTransition } from "react";
import type { LinkView } from "@/server/contract/members";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Notice } from "../ui/notice";
import { TextLink } from "../ui/text-link";
import { type LinkRefusal, sendToLink } from "./send-to-link";

const refusalsIn = (texts: Texts): Readonly<Record<Exclude<LinkRefusal, "password">, string>> => ({
  link: texts("signIn.linkInvalid"),
  unavailable: texts("signIn.noAnswer"),
});

type Step =
  | { readonly name: "loading" | "done" }
  | { readonly name: "refused"; readonly why: Exclude<LinkRefusal, "password"> }
  | { readonly name: "form"; readonly view: LinkView };

/** Loads whom the link belongs to, and sets their password. Only the submitted form uses the link up. */
export function ChoosePassword() {
  const texts = useTexts();
  const [step, setStep] = useState<Step>({ name: "loading" });
  useEffect(() => {
    let isGone = false;
    void sendToLink<LinkView>("look-up", { token: tokenOfPage() }).then((answer) => {
      if (isGone) return;
      if (answer.ok) setStep({ name: "form", view: answer.body });
      else setStep({ name: "refused", why: answer.refusal === "unavailable" ? "unavailable" : "link" });
    });
    return () => {
      isGone = true;
    };
  }, []);

  if (step.name === "loading") return <p className="text-sm text-ink-soft">{texts("signIn.checkingTheLink")}</p>;
  if (step.name === "form") return <PasswordForm view={step.view} onDone={() => setStep({ name: "done" })} />;
  if (step.name === "refused")
    return (
      <Notice tone="bad" role="alert">
        {refusalsIn(texts)[step.why]}
      </Notice>
    );
  return (
    <output className="text-sm">
      {texts.rich("signIn.passwordSet", {
        textLink: (words) => <TextLink href="/sign-in">{words}</TextLink>,
      })}
    </output>
  );
}

function tokenOfPage(): string {
  return window.location.hash.slice(1);
}

function PasswordForm({ view, onDone }: { readonly view: LinkView; readonly onDone: () => void }) {
  const texts = useTexts();
  const [complaint, setComplaint] = useState("");
  const [isSending, startSending] = useTransition();

  async function send(form: HTMLFormElement): Promise<void> {
    const values = new FormData(form);
    const password = values.get("password");
    if (password !== values.get("again")) {
      setComplaint(texts("signIn.theTwoPasswordsDiffer"));
      return;
    }
    const answer = await sendToLink("choose-password", { token: tokenOfPage(), password });
    if (answer.ok) onDone();
    else setComplaint(answer.refusal === "password" ? answer.message : refusalsIn(texts)[answer.refusal]);
  }

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    if (!isSending) startSending(() => send(form));
  }

  return (
    <form method="post" onSubmit={onSubmit} className="grid gap-4">
      <p className="text-sm text-ink-soft">
        {view.purpose === "invite"
          ? texts("signIn.invited", { merchantName: view.merchant_name })
          : texts("signIn.reset", { merchantName: view.merchant_name })}
      </p>
      {complaint ? (
        <Notice tone="bad" role="alert">
          {complaint}
        </Notice>
      ) : null}
      <Field
        id="email"
        label={texts("signIn.email")}
        type="email"
        autoComplete="username"
        value={view.email}
        readOnly
      />
      <Field
        id="password"
        name="password"
        label={texts("signIn.password")}
        type="password"
        autoComplete="new-password"
        minLength={12}
        maxLength={1_024}
        hint={texts("signIn.passwordHint")}
        required
      />
      <Field
        id="again"
        name="again"
        label={texts("signIn.passwordAgain")}
        type="password"
        autoComplete="new-password"
        required
      />
      <Button type="submit" tone="primary" className="mt-1 w-full" aria-disabled={isSending || undefined}>
        {isSending ? texts("signIn.setting") : texts("signIn.setPassword")}
      </Button>
    </form>
  );
}
