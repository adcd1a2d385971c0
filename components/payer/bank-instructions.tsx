import type { PayerInstructions } from "@/server/contract/payer";
import type { PayerTexts } from "../i18n/texts";
import { plainAmount } from "../money/plain-amount";
import { CopyControl } from "../ui/copy-button";
import { ValueLine } from "../ui/copy-line";
import { copyWords } from "./copy-words";

type BankInstructionsProps = Omit<Extract<PayerInstructions, { type: "bank_transfer" }>, "type"> & {
  readonly texts: PayerTexts;
  /** Minor units, as on the wire. */
  readonly amount: string;
  readonly currency: string;
  /** The amount as the reader writes it. */
  readonly shownAmount: string;
};

/** Amount and reference first: these are the usual errors in a manual transfer. */
export function BankInstructions({
  texts,
  reference,
  addresses,
  amount,
  currency,
  shownAmount,
}: BankInstructionsProps) {
  const line = (label: string, value: string, { copied = value, isCode = false } = {}) => (
    <ValueLine label={label} value={value} isCode={isCode}>
      <CopyControl text={copied} words={copyWords(texts, label)} />
    </ValueLine>
  );
  const code = { isCode: true };
  return (
    <div className="grid gap-4">
      <dl className="rounded-md border border-line px-3.5">
        {line(texts("field.amount"), shownAmount, { copied: plainAmount(amount, currency) })}
        {line(texts("field.reference"), reference, code)}
      </dl>
      {addresses.map((address) => (
        <dl key={`${address.network} ${address.account_number}`} className="rounded-md border border-line px-3.5">
          {line(texts("field.accountNumber"), address.account_number, code)}
          {line(texts("field.accountHolder"), address.account_holder_name)}
          {line(texts("field.bank"), address.bank_name)}
          {line(texts("field.bankCode"), address.bank_code, code)}
          <div className="border-t border-line py-2.5">
            <dt className="caption">{texts("field.network")}</dt>
            <dd className="text-sm font-medium">{address.network.toUpperCase()}</dd>
          </div>
        </dl>
      ))}
    </div>
  );
}
