// The actions of payer and provider in a test payment. Without scripts it is a plain form.
"use client";
import { useRouter } from "next/navigation";
import { type SyntheticEvent, useState, useTransition } from "react";
import type { PayerOutcome } from "@/server/contract/payer";
import { Button, type ButtonTone } from "../ui/button";

interface TestControlsProps {
  readonly id: string;
}

const CHOICES: readonly { readonly outcome: PayerOutcome; readonly label: string; readonly tone: ButtonTone }[] = [
  { outcome: "succeeded", label: "Pay", tone: "primary" },
  { outcome: "declined", label: "Decline", tone: "secondary" },
  { outcome: "cancelled", label: "Cancel", tone: "secondary" },
  { outcome: "expired", label: "Let expire", tone: "secondary" },
];

/** Submits a choice without reloading; shows a rejection or connection error beside the buttons. */
export function TestControls({ id }: TestControlsProps) {
  const router = useRouter();
  const [isSending, startSending] = useTransition();
  const [complaint, setComplaint] = useState("");
  const action = `/pay/${id}/decide`;

  async function send(outcome: string): Promise<void> {
    const answer = await fetch(action, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams({ outcome }),
    }).catch(() => null);
    setComplaint(answer?.ok ? "" : "That did not arrive. Please try again.");
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
        <legend className="caption -ml-1 px-1">Test controls: choose what happens</legend>
        <div className="mt-2 grid grid-cols-2 gap-2.5">
          {CHOICES.map(({ outcome, label, tone }) => (
            <Button
              key={outcome}
              type="submit"
              name="outcome"
              value={outcome}
              tone={tone}
              aria-disabled={isSending || undefined}
            >
              {label}
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
