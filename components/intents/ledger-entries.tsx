import type { PresentedHistory } from "@/server/trpc/present/history";
import { formatAmount } from "../money/format-amount";
import { LocalTime } from "../time/local-time";

type Entry = PresentedHistory["entries"][number];

function words(name: string): string {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function LedgerEntries({ entries }: { readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return <p className="text-sm text-ink-soft">No money has moved in the books yet.</p>;
  const transactions = [...new Set(entries.map((entry) => entry.transaction_id))];
  return (
    <div className="grid gap-4">
      {transactions.map((id) => {
        const booked = entries.filter((entry) => entry.transaction_id === id);
        return (
          <table key={id} className="figures w-full text-sm">
            <caption className="pb-1 text-left">
              <span className="font-medium">{words(booked[0]?.reason ?? "")}</span>{" "}
              <span className="caption">
                <LocalTime iso={booked[0]?.at ?? ""} />
              </span>
            </caption>
            <thead className="sr-only">
              <tr>
                <th scope="col">Account</th>
                <th scope="col">Amount</th>
              </tr>
            </thead>
            <tbody>
              {booked.map(({ account, currency, amount }) => (
                <tr key={`${account} ${currency}`} className="border-t border-line">
                  <td className="py-1.5">{words(account)}</td>
                  <td className="py-1.5 text-right whitespace-nowrap">
                    {amount.startsWith("-") ? "−" : "+"}
                    {formatAmount(amount.replace("-", ""), currency)} <span className="text-ink-soft">{currency}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        );
      })}
    </div>
  );
}
