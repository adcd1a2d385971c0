// Creates a payout to a saved recipient.
"use client";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts";
import type { Recipient } from "../payout-recipients/recipient";
import SaveDialog from "../payout-recipients/save-dialog";
import { useRecipients } from "../payout-recipients/use-recipients";
import { failureOf } from "../trpc/failure";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { CreateForm } from "./create-form";
import { CreatedPayout, type CreationResult } from "./created-payout";

interface CreateDialogProps {
  /** The recipient that is chosen at first. */
  readonly recipientId?: string;
  readonly onClose: () => void;
}

export default function CreateDialog({ recipientId = "", onClose }: CreateDialogProps) {
  const texts = useTexts();
  const { data, error } = useRecipients();
  const [chosenId, setChosenId] = useState(recipientId);
  const [isAdding, setAdding] = useState(false);
  const [result, setResult] = useState<CreationResult | null>(null);

  function onSaved({ id }: Recipient): void {
    setChosenId(id);
    setAdding(false);
  }

  if (isAdding && data) {
    const { currencies, cool_off_seconds: coolOff } = data;
    return <SaveDialog currencies={currencies} coolOff={coolOff} onSaved={onSaved} onClose={() => setAdding(false)} />;
  }
  if (result) return <CreatedPayout result={result} onAnother={() => setResult(null)} onClose={onClose} />;
  return (
    <Dialog title={texts("payouts.newPayout")} onClose={onClose}>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      {data ? (
        <CreateForm
          recipients={data.recipients}
          chosenId={chosenId}
          onChoose={setChosenId}
          onAdd={() => setAdding(true)}
          onCreated={setResult}
          onClose={onClose}
        />
      ) : null}
    </Dialog>
  );
}
