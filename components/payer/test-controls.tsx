// The actions of payer and provider in a test payment. Without scripts it is a plain form.
"use client";
import { useRouter } from "next/navigation";
import { type SyntheticEvent, useState, useTransition } from "react";
import type { PayerOutcome } from "@/server/contract/payer";
import { Button, type ButtonTone } from "../ui/button";

interface TestControlsProps {
  /** Where the form is sent. */
  readonly action: string;
  readonly words: Readonly<Record<PayerOutcome | "legend" | "lost", string>>;
}

const CHOICES: readonly { readonly outcome: PayerOutcome; readonly tone: ButtonTone }[] = [
  { outcome: "succeeded", tone: "primary" },
  { outcome: "declined", tone: "secondary" },
  { outcome: "cancelled", tone: "secondary" },
  { outcome: "expired", tone: "secondary" },
];

/** Submits a choice without reloading; shows a rejection or connection error beside the buttons. */
export function TestControls({ action, words }: TestControlsProps) {
  const router = useRouter();
  const [isSending, startSending] = useTransition();
  const [complaint, setComplaint] = useState("");

  async function send(outcome: string): Promise<void> {
    const answer = await fetch(action, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams({ outcome }),
    }).catch(() => null);
    setComplaint(answer?.ok ? "" : words.lost);
    if (answer?.ok) router.refresh();
  }

  function onSubmit(event: SyntheticEvent<HTMLFormElement, SubmitEvent>): void {
    event.preventDefault();
    const { submitter } = event.nativeEvent;
    if (isSending || !(submitter instanceof HTMLButtonElement)) return;
    startSending(() => send(submitter.value));
  }

  return (
    <form method="post" action={action} onSubmit={onSubmit} className="grid gap-3">
      <fieldset className="rounded-md border border-dashed border-line-strong px-4 pb-4">
        <legend className="caption -ms-1 px-1">{words.legend}</legend>
        <div className="mt-2 grid grid-cols-2 gap-2.5">
          {CHOICES.map(({ outcome, tone }) => (
            <Button
              key={outcome}
              type="submit"
              name="outcome"
              value={outcome}
              tone={tone}
              aria-disabled={isSending || undefined}
            >
              {words[outcome]}
            </Button>
          ))}
        </div>
      </fieldset>
      <p role="alert" className="text-sm text-bad empty:hidden">
        {complaint}
      </p>
    </form>
  );
}
