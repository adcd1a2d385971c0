import type { NamedActor } from "@/server/services/members/names";

/** An actor by id, and by the name and the address that people know it by. */
export function presentActor({ type, id, name, address }: NamedActor) {
  return { type, id, name, address };
}
