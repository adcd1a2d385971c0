// What paying a payout does to the wallet; its sum has been held since the payout was created.
"use client";
import { useQuery } from "@tanstack/react-query";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { useMay, useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import type { Payout } from "./payout";

type Sum = Pick<Payout, "amount" | "currency">;

/** Label and sum of each line; none until the wallets are known, and for members who may not see them. */
export function useWalletEffect({ amount, currency }: Sum): (readonly [label: string, sum: string])[] {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const wallets = useQuery({
    ...trpc.wallets.list.queryOptions({ environment }),
    enabled: useMay("read_wallets"),
    staleTime: 0,
  });
  const wallet = wallets.data?.find((one) => one.currency === currency);
  if (!wallet) return [];
  const text = (minorUnits: bigint) => `${formatAmount(texts, minorUnits.toString(), currency)} ${currency}`;
  return [
    [texts("payouts.setAsideNow"), text(BigInt(wallet.held))],
    [texts("payouts.setAsideAfter"), text(BigInt(wallet.held) - BigInt(amount))],
    [texts("payouts.availableUnchanged"), text(BigInt(wallet.available))],
  ];
}

interface Balance {
  readonly currency: string;
  /** Minor units. */
  readonly available: string;
  readonly held: string;
}

/** The whole balance, available and set aside, once this payout alone is paid; null if the balance is not known. */
export function balanceAfter(
  texts: Texts,
  { amount, currency }: Sum,
  wallets: readonly Balance[] | undefined,
): string | null {
  const wallet = wallets?.find((one) => one.currency === currency);
  if (!wallet) return null;
  return formatAmount(texts, (BigInt(wallet.available) + BigInt(wallet.held) - BigInt(amount)).toString(), currency);
}
