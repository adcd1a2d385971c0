// The limits of a key while they are being chosen.
import { KEY_SCOPES, type KeyScope } from "@/server/domain/key-scopes";

export const PRESETS = ["everything", "read", "payments", "custom"] as const;
export type Preset = (typeof PRESETS)[number];

export interface LimitsDraft {
  readonly preset: Preset;
  /** The scopes of a custom choice. */
  readonly custom: readonly KeyScope[];
  /** CIDRs, separated by spaces, commas or line breaks. */
  readonly networks: string;
  /** The last day on which the key works, such as `2027-01-31`; empty for no end. */
  readonly lastDay: string;
}

export const NO_DRAFT: LimitsDraft = { preset: "everything", custom: [], networks: "", lastDay: "" };

/** The scopes that a draft gives; null is every scope. */
export function scopesOf({ preset, custom }: LimitsDraft): KeyScope[] | null {
  if (preset === "everything") return null;
  if (preset === "read") return KEY_SCOPES.filter((scope) => scope.endsWith(":read"));
  if (preset === "payments") return ["payment_intents:read", "payment_intents:write", "payment_methods:read"];
  return KEY_SCOPES.filter((scope) => custom.includes(scope));
}

/** Changes the preset. A custom choice begins with the scopes that were chosen before. */
export function withPreset(draft: LimitsDraft, preset: Preset): LimitsDraft {
  return { ...draft, preset, custom: preset === "custom" ? (scopesOf(draft) ?? [...KEY_SCOPES]) : draft.custom };
}

/** The limits as the server takes them, without those that are not set. `endOfDay` gives the instant after a day. */
export function readLimits(draft: LimitsDraft, endOfDay: (day: string) => string) {
  const scopes = scopesOf(draft);
  const networks = draft.networks.split(/[\s,]+/).filter((network) => network !== "");
  return {
    ...(scopes !== null && { scopes }),
    ...(networks.length > 0 && { networks }),
    ...(draft.lastDay !== "" && { expires_at: endOfDay(draft.lastDay) }),
  };
}
