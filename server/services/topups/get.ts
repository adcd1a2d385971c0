// Owns reading one top-up intent, an extension of the interface document, since top-ups have no events.
import { topupIntents } from "@/server/db/intents/stores";
import { notFoundError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import type { TopupIntent } from "@/server/domain/topup-intent";
import { isId } from "@/server/platform/ids";

/** The intent, or not_found: foreign, absent and malformed ids are one and the same. */
export async function getTopupIntent(scope: Scope, id: string): Promise<TopupIntent> {
  const intent = isId("topupIntent", id) ? await topupIntents.find(scope, id) : null;
  if (!intent) throw notFoundError();
  return intent;
}
