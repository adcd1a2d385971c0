// Owns what the address of the exceptions' page says, read the same by server and browser.
import { EXCEPTION_KINDS, EXCEPTION_STATES } from "@/server/domain/exceptions";
import type { FilterField, Filters } from "../lists/filters";

export const EXCEPTION_FIELDS: readonly FilterField[] = [
  { name: "state", label: "State" },
  { name: "kind", label: "Kind" },
  { name: "object_id", label: "Object" },
];

/** The states that an address can name; without one it is what waits for a person. */
export const SHOWN_STATES = [...EXCEPTION_STATES, "all"] as const;

export function shownState({ state }: Filters): (typeof SHOWN_STATES)[number] {
  return SHOWN_STATES.find((known) => known === state) ?? "open";
}

/** What narrows within a state. */
export function subjectInput({ kind, object_id }: Filters) {
  const known = EXCEPTION_KINDS.find((one) => one === kind);
  return { ...(known && { kind: known }), ...(object_id ? { object_id } : {}) };
}

/** What the list's procedure is asked. */
export function exceptionInput(filters: Filters) {
  const state = shownState(filters);
  return { ...subjectInput(filters), ...(state === "all" ? {} : { state }) };
}
