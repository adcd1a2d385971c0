// Asks for a one-time code or the password before an act that creates authority or moves money.
"use client";
import { type SyntheticEvent, useState } from "react";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import type { ProofRequest } from "./step-up-link";

interface ProofDialogProps {
  readonly request: ProofRequest;
  readonly onAnswer: (proof: string | null) => void;
}

export function ProofDialog({ request, onAnswer }: ProofDialogProps) {
  const [proof, setProof] = useState("");

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    onAnswer(proof);
  }

  return (
    <Dialog title="Confirm that it is you" onClose={() => onAnswer(null)}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <p className="text-sm text-ink-soft">{request.message} It counts for this one act.</p>
        {request.kind === "code" ? (
          <Field
            id="proof-code"
            label="One-time code"
            inputMode="numeric"
            autoComplete="one-time-code"
            data-first-focus=""
            value={proof}
            onChange={(event) => setProof(event.target.value)}
          />
        ) : (
          <Field
            id="proof-password"
            label="Your password"
            type="password"
            autoComplete="current-password"
            data-first-focus=""
            value={proof}
            onChange={(event) => setProof(event.target.value)}
          />
        )}
        <FormEnd
          refusal={null}
          onClose={() => onAnswer(null)}
          action={["Confirm", "Checking…"]}
          isPending={false}
          isIncomplete={proof.trim() === ""}
        />
      </form>
    </Dialog>
  );
}
