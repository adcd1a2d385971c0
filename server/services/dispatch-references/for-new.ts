import type { Merchant } from "@/server/db/merchants";
import { ServiceError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import { type DispatchedKind, deriveDispatchReference, referenceKeyId } from "@/server/platform/dispatch-reference";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";

export interface NewObject {
  readonly scope: Scope;
  readonly kind: DispatchedKind;
  readonly id: string;
  readonly merchantReference: string | null;
}

/**
 * Returns a new object's reference at providers: derived from its merchant reference if the database derives
 * references, else its id. Throws service_unavailable in a process without the key, since a retry under the id after a
 * restore would be executed again.
 */
export function dispatchReferenceFor(merchant: Pick<Merchant, "referenceKeyId">, object: NewObject): string {
  const { scope, kind, id, merchantReference } = object;
  if (merchant.referenceKeyId === null || merchantReference === null) return id;
  const { referenceKey } = env();
  if (!referenceKey || referenceKeyId(referenceKey) !== merchant.referenceKeyId) {
    log().error(
      { expected: merchant.referenceKeyId },
      "REFERENCE_KEY is not the key of this database; restart with it",
    );
    throw new ServiceError("service_unavailable", "The service configuration is incomplete; retry later.", 30);
  }
  return deriveDispatchReference(referenceKey, { ...scope, kind, merchantReference });
}
