// A range of amounts as it is typed, in major units, and as it stands in the address, in minor units.
"use client";
import { useState } from "react";
import { isKnownCurrency } from "@/server/domain/currencies";
import { readTypedAmount } from "@/server/domain/typed-amount";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { fieldAmount } from "../money/field-amount";
import type { Filters } from "./filters";

/** The id of the text that says what is wrong with the amounts. */
export const AMOUNT_COMPLAINT = "amount-complaint";

interface Bounds {
  readonly amount_from: string;
  readonly amount_to: string;
}

/** A bound of the address as it would be typed; empty for none, and for one that nobody could have typed. */
function typedOf(texts: Texts, minorUnits: string | undefined, currency: string | undefined): string {
  if (!minorUnits || !/^\d{1,30}$/.test(minorUnits) || !currency || !isKnownCurrency(currency)) return "";
  return fieldAmount(texts, minorUnits, currency);
}

/** The two fields of a range in a currency, which is empty while none is chosen. */
export function useAmounts(filters: Filters, currency: string) {
  const texts = useTexts();
  const [from, setFrom] = useState(typedOf(texts, filters.amount_from, filters.currency));
  const [to, setTo] = useState(typedOf(texts, filters.amount_to, filters.currency));
  const [lowest, highest] = [from, to].map((typed) => readBound(typed, currency, texts));
  const isBackwards = Boolean(lowest && highest) && BigInt(lowest || 0) > BigInt(highest || 0);
  const bounds: Bounds = { amount_from: lowest ?? "", amount_to: highest ?? "" };
  const isWrong = { from: lowest === null || isBackwards, to: highest === null || isBackwards };
  return {
    from: { typed: from, isWrong: isWrong.from, onType: setFrom },
    to: { typed: to, isWrong: isWrong.to, onType: setTo },
    bounds,
    /** Null while the range can be applied. */
    complaint:
      lowest === null || highest === null
        ? texts("lists.writeAnAmountLike")
        : isBackwards
          ? texts("lists.rangeReversed")
          : null,
  };
}

/** Minor units; empty for no bound, and null for what is no amount of the currency. */
function readBound(typed: string, currency: string, { language }: Texts): string | null {
  return typed.trim() === "" || currency === "" ? "" : readTypedAmount(typed, currency, language);
}
