import type { PayerInstructions } from "@/server/contract/payer";
import { formatAmount, plainAmount } from "../money/format-amount";
import { CopyLine } from "../ui/copy-line";

type BankInstructionsProps = Omit<Extract<PayerInstructions, { type: "bank_transfer" }>, "type"> & {
  readonly amount: string;
  readonly currency: string;
};

/** Amount and reference first: these are the usual errors in a manual transfer. */
export function BankInstructions({ reference, addresses, amount, currency }: BankInstructionsProps) {
  return (
    <div className="grid gap-4">
      <dl className="rounded-md border border-line px-3.5">
        <CopyLine
          label="Amount"
          value={`${formatAmount(amount, currency)} ${currency}`}
          text={plainAmount(amount, currency)}
        />
        <CopyLine label="Reference" value={reference} isCode />
      </dl>
      {addresses.map((address) => (
        <dl key={`${address.network} ${address.account_number}`} className="rounded-md border border-line px-3.5">
          <CopyLine label="Account number" value={address.account_number} isCode />
          <CopyLine label="Account holder" value={address.account_holder_name} />
          <CopyLine label="Bank" value={address.bank_name} />
          <CopyLine label="Bank code" value={address.bank_code} isCode />
          <div className="border-t border-line py-2.5">
            <dt className="caption">Network</dt>
            <dd className="text-sm font-medium">{address.network.toUpperCase()}</dd>
          </div>
        </dl>
      ))}
    </div>
  );
}
