"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { readTypedAmount } from "@/server/domain/typed-amount";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { accountText, type Recipient } from "../payout-recipients/recipient";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { Notice } from "../ui/notice";
import { Select } from "../ui/select";
import type { CreationResult } from "./created-payout";

interface CreateFormProps {
  readonly recipients: readonly Recipient[];
  readonly chosenId: string;
  readonly onChoose: (id: string) => void;
  readonly onAdd: () => void;
  readonly onCreated: (result: CreationResult) => void;
  readonly onClose: () => void;
}

export function CreateForm({ recipients, chosenId, onChoose, onAdd, onCreated, onClose }: CreateFormProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const [typed, setTyped] = useState("");
  const [reference, setReference] = useState("");
  const recipient = recipients.find(({ id }) => id === chosenId);
  const amount = recipient ? readTypedAmount(typed, recipient.currency, texts.language) : null;
  const available = useAvailable(recipient?.currency);
  const create = useCreation(onCreated);
  const isReady = recipient?.is_usable === true && amount !== null && reference.trim() !== "";

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (create.isPending || !isReady) return;
    create.mutate({ environment, recipient_id: recipient.id, amount, merchant_reference: reference.trim() });
  }

  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      <div className="grid gap-2">
        <Select
          id="payout-recipient"
          label={texts("payouts.recipient")}
          options={[
            { value: "", label: texts("payouts.chooseARecipient") },
            ...recipients.map((one) => optionOf(texts, one)),
          ]}
          value={chosenId}
          onChange={onChoose}
        />
        <Button size="small" tone="quiet" className="-ml-2.5 w-fit" onClick={onAdd}>
          {texts("payouts.addARecipient")}
        </Button>
      </div>
      {recipient && !recipient.is_usable ? (
        <Notice tone="plain">
          {texts.rich("payouts.coolingOff", {
            holderName: recipient.holder_name,
            localTime: () => <LocalTime iso={recipient.usable_from} />,
          })}
        </Notice>
      ) : null}
      <Field
        id="payout-amount"
        label={
          recipient ? texts("payouts.amountInCurrency", { currency: recipient.currency }) : texts("payouts.amount")
        }
        inputMode="decimal"
        autoComplete="off"
        disabled={!recipient}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        {...amountNote(texts, typed, amount, recipient?.currency, available)}
      />
      <Field
        id="payout-reference"
        label={texts("payouts.yourReference")}
        hint={texts("payouts.referenceHint")}
        autoComplete="off"
        maxLength={255}
        value={reference}
        onChange={({ target }) => setReference(target.value)}
      />
      {recipient && amount !== null ? (
        <p className="text-sm">
          {texts.rich("payouts.createEffect", {
            strong: (words) => <strong className="figures">{words}</strong>,
            amount: formatAmount(texts, amount, recipient.currency),
            currency: recipient.currency,
            strong2: (words) => <strong>{words}</strong>,
            holderName: recipient.holder_name,
            strong3: (words) => <strong className="figures">{words}</strong>,
            accountLast4: recipient.account_last4,
            bankCode: recipient.bank_code,
          })}
        </p>
      ) : null}
      <FormEnd
        refusal={create.error ? failureOf(texts, create.error).message : null}
        onClose={onClose}
        action={[texts("payouts.createPayout"), texts("payouts.creating")]}
        isPending={create.isPending}
        isIncomplete={!isReady}
      />
    </form>
  );
}

function optionOf(texts: Texts, recipient: Recipient) {
  const { id, holder_name: name, currency, is_usable: isUsable } = recipient;
  const state = isUsable ? "" : " · new";
  return { value: id, label: `${name} · ${accountText(texts, recipient)} · ${currency}${state}` };
}

/** What is wrong with the amount, or what there is to spend. */
function amountNote(
  texts: Texts,
  typed: string,
  amount: string | null,
  currency: string | undefined,
  available: string | undefined,
) {
  if (currency === undefined) return { hint: texts("payouts.recipientFirst") };
  if (typed.trim() !== "" && amount === null) return { error: texts("payouts.amountInvalid", { currency }) };
  if (available === undefined) return {};
  const text = `${formatAmount(texts, available, currency)} ${currency}`;
  return amount !== null && BigInt(amount) > BigInt(available)
    ? { error: texts("payouts.aboveAvailable", { amount: text }) }
    : { hint: texts("payouts.available", { amount: text }) };
}

/** The available balance in minor units; undefined while it is unknown. */
function useAvailable(currency: string | undefined): string | undefined {
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.wallets.list.queryOptions({ environment }));
  return data?.find((wallet) => wallet.currency === currency)?.available;
}

function useCreation(onCreated: (result: CreationResult) => void) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return useMutation(
    trpc.payoutIntents.create.mutationOptions({
      onSuccess: onCreated,
      onSettled: () => void queries.invalidateQueries({ queryKey: trpc.wallets.list.queryKey() }),
    }),
  );
}
