// What makes two top-ups under one merchant reference the same.
import type { TopupIntent } from "./topup-intent";

/** The economic field in which a repeat of a merchant reference differs, or null when it is a simple repeat. */
export function differingTopupField(
  original: TopupIntent,
  repeat: Pick<TopupIntent, "destinationAmount" | "destinationCurrency" | "sourceType" | "sourceCurrency">,
  /** The provider that the caller named, if any: without a name, whichever quoted first is as good. */
  namedProvider: string | null,
): string | null {
  if (original.destinationAmount !== repeat.destinationAmount) return "destination.amount";
  if (original.destinationCurrency !== repeat.destinationCurrency) return "destination.currency";
  if (original.sourceType !== repeat.sourceType) return "source.type";
  if (namedProvider !== null && original.provider !== namedProvider) return "source.provider";
  return original.sourceCurrency === repeat.sourceCurrency ? null : "source.currency";
}
