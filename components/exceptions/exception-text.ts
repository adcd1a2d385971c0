import type { PresentedException } from "@/server/trpc/exceptions";
import type { Texts } from "../i18n/dashboard-texts";
import { sumText } from "../money/sum-text";
import { kindWordsIn } from "./exception-words";

/** What people know its object by: their reference, else its id. */
export function nameOf({ about, object_id: objectId }: PresentedException): string {
  return about?.merchant_reference ?? objectId;
}

/** The exception's sum: the one in suspense, else the one in its detail. */
export function sumOf(texts: Texts, { money, detail }: PresentedException): string | null {
  const { amount, currency } = money ?? detail;
  if (!amount || !currency) return null;
  return sumText(texts, amount, currency);
}

/** "Late money, INV-2041". */
export function titleOf(texts: Texts, exception: PresentedException): string {
  return `${kindWordsIn(texts)[exception.kind].label}, ${nameOf(exception)}`;
}
