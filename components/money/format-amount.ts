import { localSum } from "@/server/domain/local-sum";
import { toReadableString } from "@/server/domain/money";
import type { Texts } from "../i18n/dashboard-texts";

type Language = Pick<Texts, "language">;

/** Formats minor units for people ("123456", "BRL") → "1,234.56" in English. Exact for any number of digits. */
export function formatAmount({ language }: Language, minorUnits: string, currency: string): string {
  return localSum(language, toReadableString(BigInt(minorUnits), currency));
}
