"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { Select } from "../ui/select";
import { draftOf, type LimitsDraft, type LimitsView, readDraft } from "./draft";

interface LimitsDialogProps {
  readonly view: LimitsView;
  /** The currency that is chosen at first. */
  readonly currency: string;
  readonly onClose: () => void;
}

export default function LimitsDialog({ view, currency, onClose }: LimitsDialogProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [draft, setDraft] = useState(() => draftOf(texts, view.limits, ["", currency]));
  const [fault, setFault] = useState<string | null>(null);
  const set = useMutation(
    trpc.payoutLimits.set.mutationOptions({
      onSuccess: () => {
        announce(texts("limits.limitsSet"));
        onClose();
      },
      onSettled: () => void queries.invalidateQueries({ queryKey: trpc.payoutLimits.show.queryKey() }),
    }),
  );

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (set.isPending) return;
    const read = readDraft(texts, draft);
    setFault("fault" in read ? read.fault : null);
    if ("limits" in read) set.mutate({ environment, ...read.limits });
  }

  return (
    <Dialog title={texts("limits.limitPayoutsInEnvironment", { environment })} onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <SubjectFields view={view} draft={draft} onChange={setDraft} />
        <AmountFields draft={draft} onChange={setDraft} />
        <p className="caption">{texts("limits.fieldsHint")}</p>
        <FormEnd
          refusal={fault ?? (set.error ? failureOf(texts, set.error).message : null)}
          onClose={onClose}
          action={[texts("limits.setLimits"), texts("limits.setting")]}
          isPending={set.isPending}
        />
      </form>
    </Dialog>
  );
}

interface DraftFieldsProps {
  readonly draft: LimitsDraft;
  readonly onChange: (draft: LimitsDraft) => void;
}

/** Choosing another key or currency shows the limits that it has. */
function SubjectFields({ view, draft, onChange }: DraftFieldsProps & { readonly view: LimitsView }) {
  const texts = useTexts();
  const keys = view.keys.map(({ id, name, public_key: publicKey }) => ({
    value: id,
    label: texts("limits.keyNamePublicKey", { name, publicKey: publicKey.slice(-4) }),
  }));
  return (
    <>
      <Select
        id="limit-subject"
        label={texts("limits.appliesTo")}
        options={[{ value: "", label: texts("limits.merchantTotal") }, ...keys]}
        value={draft.keyId}
        onChange={(keyId) => onChange(draftOf(texts, view.limits, [keyId, draft.currency]))}
      />
      <Select
        id="limit-currency"
        label={texts("limits.currency")}
        options={view.currencies.map((code) => ({ value: code, label: code }))}
        value={draft.currency}
        onChange={(currency) => onChange(draftOf(texts, view.limits, [draft.keyId, currency]))}
      />
    </>
  );
}

const amountsIn = (texts: Texts) =>
  [
    { name: "amount", label: texts("limits.largestPayout") },
    { name: "day", label: texts("limits.dayTotal") },
    { name: "recipientDay", label: texts("limits.recipientDayTotal") },
  ] as const;

function AmountFields({ draft, onChange }: DraftFieldsProps) {
  const texts = useTexts();
  const shown = amountsIn(texts).filter(({ name }) => draft.keyId === "" || name !== "recipientDay");
  return shown.map(({ name, label }) => (
    <Field
      key={name}
      id={`limit-${name}`}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={draft[name]}
      onChange={(event) => onChange({ ...draft, [name]: event.target.value })}
    />
  ));
}
