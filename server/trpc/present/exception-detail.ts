// What an exception has recorded, as the dashboard shows it.
import { isKnownCurrency, minorUnitDigits } from "@/server/domain/currencies";
import { toReadableString } from "@/server/domain/money";

type Detail = Readonly<Record<string, string | null>>;

/** Releases before 0.2 recorded this sum in minor units, later ones as a decimal. */
const SUM_IN_MINOR_UNITS = /^our books have (\d+) ([A-Z]+)$/;

/** The detail with every sum in its words as a decimal. */
export function presentDetail(detail: Detail): Detail {
  const [, amount, currency = ""] = SUM_IN_MINOR_UNITS.exec(detail.why ?? "") ?? [];
  if (amount === undefined || !isKnownCurrency(currency) || minorUnitDigits(currency) === 0) return detail;
  return { ...detail, why: `our books have ${toReadableString(BigInt(amount), currency)} ${currency}` };
}
