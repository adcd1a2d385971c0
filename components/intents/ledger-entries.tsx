import type { PresentedHistory } from "@/server/trpc/present/history";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { LocalTime } from "../time/local-time";
import { accountText, bookingText } from "./booking-text";

type Entry = PresentedHistory["entries"][number];

export function LedgerEntries({ entries }: { readonly entries: readonly Entry[] }) {
  const texts = useTexts();
  if (entries.length === 0) return <p className="text-sm text-ink-soft">{texts("intents.noBookings")}</p>;
  const transactions = [...new Set(entries.map((entry) => entry.transaction_id))];
  return (
    <div className="grid gap-4">
      {transactions.map((id) => {
        const booked = entries.filter((entry) => entry.transaction_id === id);
        return (
          <table key={id} className="figures w-full text-sm">
            <caption className="pb-1 text-left">
              <span className="font-medium">{bookingText(texts, booked[0]?.reason ?? "")}</span>{" "}
              <span className="caption">
                <LocalTime iso={booked[0]?.at ?? ""} />
              </span>
            </caption>
            <thead className="sr-only">
              <tr>
                <th scope="col">{texts("intents.account")}</th>
                <th scope="col">{texts("intents.amount")}</th>
              </tr>
            </thead>
            <tbody>
              {booked.map(({ account, currency, amount }) => (
                <tr key={`${account} ${currency}`} className="border-t border-line">
                  <td className="py-1.5">{accountText(texts, account)}</td>
                  <td className="py-1.5 text-right whitespace-nowrap">
                    {amount.startsWith("-") ? "−" : "+"}
                    {formatAmount(texts, amount.replace("-", ""), currency)}{" "}
                    <span className="text-ink-soft">{currency}</span>
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
