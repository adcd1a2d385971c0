// Creates a top-up, and shows what to send where.
"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { TOKEN_SYMBOLS } from "@/server/domain/currencies";
import { readTypedAmount } from "@/server/domain/typed-amount";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { CountrySelect } from "../ui/country-select";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { Select } from "../ui/select";
import { CreatedTopup } from "./created-topup";

const NOTHING = { currency: "", amount: "", token: "USDT", network: "", country: "", reference: "" };

export default function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const wallets = useQuery(trpc.wallets.list.queryOptions({ environment }));
  const create = useMutation(trpc.topupIntents.create.mutationOptions());
  const [draft, setDraft] = useState(NOTHING);
  const set = (name: keyof typeof NOTHING) => (value: string) => setDraft({ ...draft, [name]: value });
  const { currency, network } = draft;
  const amount = currency === "" ? null : readTypedAmount(draft.amount, currency, texts.language);
  const reference = draft.reference.trim();
  const isReady = amount !== null && draft.country !== "" && reference !== "";

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (create.isPending || !isReady) return;
    create.mutate({
      environment,
      destination: { amount, currency },
      source: {
        type: "provider_gateway",
        currency: draft.token,
        ...(network.trim() === "" ? {} : { network: network.trim() }),
      },
      country: draft.country,
      merchant_reference: reference,
    });
  }

  if (create.data) return <CreatedTopup result={create.data} onClose={onClose} />;
  const currencies = (wallets.data ?? []).map((wallet) => ({ value: wallet.currency, label: wallet.currency }));
  const isWrong = draft.amount.trim() !== "" && amount === null;
  return (
    <Dialog title={texts("topups.newTopup")} onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <Select
          id="topup-currency"
          label={texts("topups.wallet")}
          options={[{ value: "", label: texts("topups.chooseACurrency") }, ...currencies]}
          value={currency}
          onChange={set("currency")}
        />
        <Field
          id="topup-amount"
          label={currency === "" ? texts("topups.amount") : texts("topups.amountInCurrency", { currency })}
          inputMode="decimal"
          autoComplete="off"
          disabled={currency === ""}
          value={draft.amount}
          onChange={({ target }) => set("amount")(target.value)}
          {...(isWrong ? { error: texts("topups.amountInvalid", { currency }) } : { hint: texts("topups.amountHint") })}
        />
        <Select
          id="topup-token"
          label={texts("topups.paidIn")}
          options={TOKEN_SYMBOLS.map((value) => ({ value, label: value }))}
          value={draft.token}
          onChange={set("token")}
        />
        <Field
          id="topup-network"
          label={texts("topups.network")}
          hint={texts("topups.networkHint")}
          autoComplete="off"
          spellCheck={false}
          value={network}
          onChange={({ target }) => set("network")(target.value)}
        />
        <CountrySelect
          id="topup-country"
          label={texts("topups.country")}
          value={draft.country}
          onChange={set("country")}
        />
        <Field
          id="topup-reference"
          label={texts("topups.yourReference")}
          hint={texts("topups.referenceHint")}
          autoComplete="off"
          maxLength={255}
          value={draft.reference}
          onChange={({ target }) => set("reference")(target.value)}
        />
        <FormEnd
          refusal={create.error ? failureOf(texts, create.error).message : null}
          onClose={onClose}
          action={[texts("topups.getAQuote"), texts("topups.askingForAQuote")]}
          isPending={create.isPending}
          isIncomplete={!isReady}
        />
      </form>
    </Dialog>
  );
}
