// The pages of Paystack's dashboard, as its plugins for shops open them. No source shows the page of one transfer. Whether
// it shows test or live data is a switch on the dashboard.
import type { RoutedKind } from "@/server/domain/routing";

/** Returns the page of a transaction by its id; null for anything else. */
export function paystackPage(kind: RoutedKind, id: string): string | null {
  return kind === "payment" && /^[1-9][0-9]{0,18}$/.test(id)
    ? `https://dashboard.paystack.com/#/transactions/${id}`
    : null;
}
