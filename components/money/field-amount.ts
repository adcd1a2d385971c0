import { localSum } from "@/server/domain/local-sum";
import type { Texts } from "../i18n/dashboard-texts";
import { plainAmount } from "./plain-amount";

/** Formats minor units as the field of a form shows them: as people type them, without groups. */
export function fieldAmount({ language }: Pick<Texts, "language">, minorUnits: string, currency: string): string {
  return localSum(language, plainAmount(minorUnits, currency));
}
