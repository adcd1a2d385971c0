// The names of members and of other actors.

import { actOf } from "@/server/db/audit/record";
import { type ActorName, findNames } from "@/server/db/history";
import { storeName } from "@/server/db/member-names";
import { notFoundError, validationError } from "@/server/domain/errors";
import { NAME_RULE, readName } from "@/server/domain/member-name";
import type { CallContext } from "@/server/domain/scope";
import { statedName } from "../merchants/operator";

/** Names by id of member or key. */
export type ActorNames = ReadonlyMap<string, ActorName>;

/** An actor as people know it. */
export interface NamedActor extends ActorName {
  readonly type: string;
  readonly id: string;
}

/** Finds the names of those of the ids that are members or keys of the merchant. Ids may repeat. */
export function actorNames(merchantId: string, ids: readonly string[]): Promise<ActorNames> {
  return findNames(merchantId, [...new Set(ids)]);
}

/** The actor with the name and address that are known of it. */
export function namedActor({ type, id }: Pick<NamedActor, "type" | "id">, names: ActorNames): NamedActor {
  return { type, id, ...(names.get(id) ?? { name: statedName(type, id), address: null }) };
}

/** Reads a name that somebody typed; an empty one is none. Throws validation_failed for what may not be a name. */
export function readOptionalName(typed: string | null): string | null {
  if (typed === null || typed.trim() === "") return null;
  const name = readName(typed);
  if (name === null) throw validationError("name", NAME_RULE);
  return name;
}

/**
 * Sets the name of a member: the calling one, or any for the operator. Writes an audit entry and a notice to owners, since
 * somebody may take a colleague's name. Null removes the name. Throws validation_failed, and not_found for a member who is
 * disabled.
 */
export async function changeName(context: CallContext, id: string, typed: string | null): Promise<string | null> {
  const name = readOptionalName(typed);
  if (!(await storeName({ merchantId: context.scope.merchantId, id }, name, actOf(context)))) throw notFoundError();
  return name;
}
