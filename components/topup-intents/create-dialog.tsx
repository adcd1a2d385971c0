// Creates a top-up, and shows what to send where.
"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { TOKEN_SYMBOLS } from "@/server/domain/currencies";
import { readTypedAmount } from "@/server/domain/typed-amount";
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
  const { environment } = useShell();
  const trpc = useTRPC();
  const wallets = useQuery(trpc.wallets.list.queryOptions({ environment }));
  const create = useMutation(trpc.topupIntents.create.mutationOptions());
  const [draft, setDraft] = useState(NOTHING);
  const set = (name: keyof typeof NOTHING) => (value: string) => setDraft({ ...draft, [name]: value });
  const { currency, network } = draft;
  const amount = currency === "" ? null : readTypedAmount(draft.amount, currency);
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
    <Dialog title="New top-up" onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <Select
          id="topup-currency"
          label="Wallet"
          options={[{ value: "", label: "Choose a currency" }, ...currencies]}
          value={currency}
          onChange={set("currency")}
        />
        <Field
          id="topup-amount"
          label={currency === "" ? "Amount" : `Amount in ${currency}`}
          inputMode="decimal"
          autoComplete="off"
          disabled={currency === ""}
          value={draft.amount}
          onChange={({ target }) => set("amount")(target.value)}
          {...(isWrong
            ? { error: `Type a number such as 1250.50, with the digits ${currency} has.` }
            : { hint: "What the wallet receives, before what your terms deduct." })}
        />
        <Select
          id="topup-token"
          label="Paid in"
          options={TOKEN_SYMBOLS.map((value) => ({ value, label: value }))}
          value={draft.token}
          onChange={set("token")}
        />
        <Field
          id="topup-network"
          label="Network"
          hint="Such as tron. Empty: the provider’s first one."
          autoComplete="off"
          spellCheck={false}
          value={network}
          onChange={({ target }) => set("network")(target.value)}
        />
        <CountrySelect id="topup-country" label="Country" value={draft.country} onChange={set("country")} />
        <Field
          id="topup-reference"
          label="Your reference"
          hint="Used again, it shows the first top-up and creates nothing."
          autoComplete="off"
          maxLength={255}
          value={draft.reference}
          onChange={({ target }) => set("reference")(target.value)}
        />
        <FormEnd
          refusal={create.error ? failureOf(create.error).message : null}
          onClose={onClose}
          action={["Get a quote", "Asking for a quote…"]}
          isPending={create.isPending}
          isIncomplete={!isReady}
        />
      </form>
    </Dialog>
  );
}
