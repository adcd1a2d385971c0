// Saves a recipient of payouts.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failedField } from "../trpc/failed-field";
import { failureOf } from "../trpc/failure";
import { CountrySelect } from "../ui/country-select";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { Notice } from "../ui/notice";
import { Select } from "../ui/select";
import { durationText, type Recipient } from "./recipient";

interface SaveDialogProps {
  readonly currencies: readonly string[];
  /** In seconds. */
  readonly coolOff: number;
  readonly onSaved: (recipient: Recipient) => void;
  readonly onClose: () => void;
}

const NOTHING = { holder_name: "", account_number: "", bank_code: "", country: "", currency: "" };
type Draft = typeof NOTHING;

/** A complaint in English begins with its field's name on the wire. */
const ACCOUNT = /^account_number /;

const textsIn = (texts: Texts) =>
  [
    { name: "holder_name", label: texts("recipients.accountHolder"), hint: texts("recipients.holderHint") },
    {
      name: "account_number",
      label: texts("recipients.accountNumber"),
      hint: texts("recipients.accountHint"),
    },
    { name: "bank_code", label: texts("recipients.bankCode") },
  ] as const;

export default function SaveDialog({ currencies, coolOff, onSaved, onClose }: SaveDialogProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>({
    ...NOTHING,
    currency: currencies.length === 1 ? (currencies[0] ?? "") : "",
  });
  const save = useMutation(
    trpc.payoutRecipients.save.mutationOptions({
      onSuccess: onSaved,
      onSettled: () => void queries.invalidateQueries({ queryKey: trpc.payoutRecipients.list.queryKey() }),
    }),
  );
  const set = (name: keyof Draft) => (value: string) => setDraft({ ...draft, [name]: value });

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!save.isPending) save.mutate({ environment, ...draft });
  }

  const refusal = save.error ? failureOf(texts, save.error).message : null;
  const accountFault =
    refusal !== null && failedField(save.error) === "account_number"
      ? texts("recipients.theAccountNumberRefusal", { refusal: refusal.replace(ACCOUNT, "") })
      : null;
  return (
    <Dialog title={texts("recipients.addARecipient")} onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        {textsIn(texts).map(({ name, label, ...rest }) => (
          <Field
            key={name}
            id={`recipient-${name}`}
            label={label}
            {...rest}
            autoComplete="off"
            spellCheck={false}
            data-first-focus={name === "holder_name" ? "" : undefined}
            error={name === "account_number" && accountFault ? accountFault : undefined}
            value={draft[name]}
            onChange={({ target }) => set(name)(target.value)}
          />
        ))}
        <CountrySelect
          id="recipient-country"
          label={texts("recipients.countryOfTheBank")}
          value={draft.country}
          onChange={set("country")}
        />
        <Select
          id="recipient-currency"
          label={texts("recipients.currencyOfTheAccount")}
          options={[
            { value: "", label: texts("recipients.chooseACurrency") },
            ...currencies.map((value) => ({ value, label: value })),
          ]}
          value={draft.currency}
          onChange={set("currency")}
        />
        <Notice tone="plain">
          {coolOff === 0
            ? texts("recipients.paidAtOnce")
            : texts("recipients.paidAfter", { duration: durationText(texts, coolOff) })}
          {texts("recipients.saverDoesNotApprove")}
        </Notice>
        <FormEnd
          refusal={accountFault === null ? refusal : null}
          onClose={onClose}
          action={[texts("recipients.addRecipient"), texts("recipients.adding")]}
          isPending={save.isPending}
          isIncomplete={Object.values(draft).some((value) => value.trim() === "")}
        />
      </form>
    </Dialog>
  );
}
