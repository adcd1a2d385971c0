// The members that every entry of PROVIDERS has, whatever its type.
import { z } from "zod";
import { isKnownCurrency } from "@/server/domain/currencies";
import { findPaymentMethod } from "@/server/domain/payment-methods";
import { LONGEST_PROVIDER_DEADLINE_MS } from "@/server/platform/env";
import { SANDBOX } from "../sandbox/gateway";

/** The schema of a currency code that Sluice knows. */
export const currency = z.string().refine(isKnownCurrency, "is not a known currency");

function allOr(item: z.ZodType<string>, error: string) {
  return z.union([z.literal("all"), z.array(item)], { error });
}

/** The schema of a merchant's id. */
export const merchantId = z.string().regex(/^mer_[0-9a-hjkmnp-tv-z]{26}$/, "is not the id of a merchant");

function isMethod(code: string): boolean {
  return findPaymentMethod(code) !== null;
}

export const commonMembers = {
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,31}$/, "must be 1 to 32 of a-z, 0-9, - and _, starting with a letter")
    .refine((name) => name !== SANDBOX, "is taken by the built-in sandbox"),
  payment_methods: allOr(z.string().refine(isMethod), 'must be "all" or a list of codes of the catalogue').default([]),
  payout_currencies: allOr(currency, 'must be "all" or a list of known currencies').default([]),
  /** Absent: every merchant. */
  merchants: z.array(merchantId).min(1, "must name at least one merchant; omit it for all").optional(),
  /** Absent: PROVIDER_DEADLINE_MS. */
  deadline_ms: z.int().min(1).max(LONGEST_PROVIDER_DEADLINE_MS).optional(),
  /** Absent: the default of the worker. */
  concurrency: z.int().min(1).max(100).optional(),
};

/** Returns true if the list of a configuration contains the value. */
export function covers(list: "all" | readonly string[], value: string): boolean {
  return list === "all" || list.includes(value);
}
