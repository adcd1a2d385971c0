// Lines of a file in words.

import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { formatAmount } from "../money/format-amount";

type Outputs = inferRouterOutputs<AppRouter>["payoutBatches"];
export type Preview = Outputs["preview"];
export type Created = Outputs["create"];

type AnyLine = Omit<Preview["lines"][number], "verdict">;

/** A line before or after its creation. */
export interface ShownLine extends AnyLine {
  readonly state: "create" | "created" | "exists" | "rejected";
}

/** The lines of a preview. */
export function linesOfPreview({ lines }: Preview): ShownLine[] {
  return lines.map(({ verdict, ...line }) => ({ ...line, state: verdict }));
}

/** The lines after the creation. */
export function linesOfCreated({ lines }: Created): ShownLine[] {
  return lines.map(({ outcome, ...line }) => ({ ...line, state: outcome }));
}

/** "1,260.50 BRL, 90 JPY": the sums by currency, in the order of the lines. */
export function sumsText(texts: Texts, lines: readonly Pick<ShownLine, "currency" | "amount">[]): string {
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of lines) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount ?? 0));
  return [...sums].map(([currency, sum]) => `${formatAmount(texts, sum.toString(), currency)} ${currency}`).join(", ");
}
