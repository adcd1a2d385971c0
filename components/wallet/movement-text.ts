import { LEDGER_REASONS } from "@/server/domain/ledger";
import type { Texts } from "../i18n/dashboard-texts";

/** A booking's reason in words; an unknown reason as the files have it. */
export function movementText(texts: Texts, reason: string): string {
  const known = LEDGER_REASONS.find((one) => one === reason);
  return known === undefined ? reason.replaceAll("_", " ") : texts(`wallet.movement_${known}`);
}
