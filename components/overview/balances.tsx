"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { usePollingInterval } from "../shell/live-changes";
import { useMay, useShell } from "../shell/shell-context";
import { BACKGROUND, useTRPC } from "../trpc/client";

/** Narrow between columns on a phone, where a balance in tokens has sixteen characters. */
const CELL = "px-2 py-2 first:pl-4 last:pr-4 sm:px-4";

/** Renders nothing for members who may not see balances. */
export function Balances() {
  const texts = useTexts();
  const { environment } = useShell();
  const mayRead = useMay("read_wallets");
  const pollingInterval = usePollingInterval();
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.wallets.list.queryOptions({ environment }, BACKGROUND),
    refetchInterval: pollingInterval,
    enabled: mayRead,
  });
  if (!mayRead || !data || data.length === 0) return null;
  return (
    <section aria-labelledby="balances" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="balances" className="text-lg">
        {texts("overview.balances")}
      </h2>
      <div className="overflow-x-auto rounded-lg border border-line bg-surface">
        <table className="figures w-full text-sm">
          <thead>
            <tr className="border-b border-line text-xs text-ink-soft">
              <th scope="col" className={`${CELL} text-left font-medium`}>
                {texts("overview.currency")}
              </th>
              <th scope="col" className={`${CELL} text-right font-medium`}>
                {texts("overview.available")}
              </th>
              <th scope="col" className={`${CELL} text-right font-medium`}>
                {texts("overview.held")}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ currency, available, held }) => (
              <tr key={currency} className="border-b border-line last:border-b-0 hover:bg-canvas">
                <th scope="row" className={`${CELL} text-left font-medium`}>
                  <Link
                    href={`/${environment}/wallet?currency=${currency}`}
                    prefetch={false}
                    className="inline-flex min-h-6 items-center rounded-sm underline underline-offset-3"
                  >
                    {currency}
                  </Link>
                </th>
                <td className={`${CELL} text-right font-semibold`}>{formatAmount(texts, available, currency)}</td>
                <td className={`${CELL} text-right text-ink-soft`}>{formatAmount(texts, held, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
