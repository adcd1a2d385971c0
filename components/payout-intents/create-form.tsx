"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { readTypedAmount } from "@/server/domain/typed-amount";
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
  const { environment } = useShell();
  const [typed, setTyped] = useState("");
  const [reference, setReference] = useState("");
  const recipient = recipients.find(({ id }) => id === chosenId);
  const amount = recipient ? readTypedAmount(typed, recipient.currency) : null;
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
          label="Recipient"
          options={[{ value: "", label: "Choose a recipient" }, ...recipients.map(optionOf)]}
          value={chosenId}
          onChange={onChoose}
        />
        <Button size="small" tone="quiet" className="-ml-2.5 w-fit" onClick={onAdd}>
          Add a recipient…
        </Button>
      </div>
      {recipient && !recipient.is_usable ? (
        <Notice tone="plain">
          {recipient.holder_name} is new and can be paid from <LocalTime iso={recipient.usable_from} />.
        </Notice>
      ) : null}
      <Field
        id="payout-amount"
        label={recipient ? `Amount in ${recipient.currency}` : "Amount"}
        inputMode="decimal"
        autoComplete="off"
        disabled={!recipient}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        {...amountNote(typed, amount, recipient?.currency, available)}
      />
      <Field
        id="payout-reference"
        label="Your reference"
        hint="Such as an invoice number. A reference pays once: used again, it creates nothing."
        autoComplete="off"
        maxLength={255}
        value={reference}
        onChange={({ target }) => setReference(target.value)}
      />
      {recipient && amount !== null ? (
        <p className="text-sm">
          <strong className="figures">
            {formatAmount(amount, recipient.currency)} {recipient.currency}
          </strong>{" "}
          to <strong>{recipient.holder_name}</strong>, account ending{" "}
          <strong className="figures">{recipient.account_last4}</strong> at bank {recipient.bank_code}. The amount is
          set aside now. If your approval policy asks for approvals, other members give them.
        </p>
      ) : null}
      <FormEnd
        refusal={create.error ? failureOf(create.error).message : null}
        onClose={onClose}
        action={["Create payout", "Creating…"]}
        isPending={create.isPending}
        isIncomplete={!isReady}
      />
    </form>
  );
}

function optionOf(recipient: Recipient) {
  const { id, holder_name: name, currency, is_usable: isUsable } = recipient;
  const state = isUsable ? "" : " · new";
  return { value: id, label: `${name} · ${accountText(recipient)} · ${currency}${state}` };
}

/** What is wrong with the amount, or what there is to spend. */
function amountNote(typed: string, amount: string | null, currency: string | undefined, available: string | undefined) {
  if (currency === undefined) return { hint: "Choose a recipient first: it decides the currency." };
  if (typed.trim() !== "" && amount === null)
    return { error: `Type a number such as 1250.50, with the digits ${currency} has.` };
  if (available === undefined) return {};
  const text = `${formatAmount(available, currency)} ${currency}`;
  return amount !== null && BigInt(amount) > BigInt(available)
    ? { error: `More than the available ${text}.` }
    : { hint: `Available: ${text}` };
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
