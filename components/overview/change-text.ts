import { localSum } from "@/server/domain/local-sum";
import type { Texts } from "../i18n/dashboard-texts";
/** "12.5% more than before", from minor units; null if there is nothing to compare with. */
export function changeText(texts: Texts, amount: string, before: string): string | null {
  const [now, past] = [BigInt(amount), BigInt(before)];
  if (past === 0n) return null;
  const permille = ((now - past) * 1_000n) / past;
  if (permille === 0n) return texts("overview.asMuchAsBefore");
  const size = permille < 0n ? -permille : permille;
  const percent = localSum(texts.language, `${size / 10n}.${size % 10n}%`);
  return texts(permille < 0n ? "overview.lessThanBefore" : "overview.moreThanBefore", { percent });
}

/** A share as percent with one digit, rounded, but 100.0% only of all and 0.0% only of none; null of nothing. */
export function percentText({ language }: Pick<Texts, "language">, part: number, whole: number): string | null {
  if (whole === 0) return null;
  const rounded = Math.round((part * 1_000) / whole);
  const permille = part === 0 || part === whole ? rounded : Math.min(999, Math.max(1, rounded));
  return localSum(language, `${Math.floor(permille / 10)}.${permille % 10}%`);
}
