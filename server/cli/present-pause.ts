// Owns pauses of dispatch in wire names, and the options that name what they hold back.
import type { Pause, PauseScope } from "@/server/services/dispatch/control";
import { optional, required } from "./command";

export const PAUSE_OPTIONS = {
  reason: required("TEXT", "why, for the record"),
  provider: optional("NAME", "only what goes to this provider"),
  merchant: optional("ID", "only this merchant's"),
  currency: optional("CODE", "only this currency"),
};

/** The scope that the options name; everything where none is given. */
export function scopeOf(values: Readonly<Record<"provider" | "merchant" | "currency", string | null>>): PauseScope {
  return { provider: values.provider, merchantId: values.merchant, currency: values.currency };
}

export function presentPause({ id, provider, merchantId, currency, reason, pausedBy, pausedAt }: Pause) {
  return {
    id,
    provider,
    merchant_id: merchantId,
    currency,
    reason,
    paused_by: pausedBy,
    paused_at: pausedAt.toISOString(),
  };
}
