// The state in the address of the exceptions' page, parsed the same way by server and browser.
import { EXCEPTION_KINDS, EXCEPTION_STATES } from "@/server/domain/exceptions";
import type { Filters, ListField } from "../lists/filters";

export const EXCEPTION_FIELDS: readonly ListField[] = [
  { name: "state" },
  { name: "kind" },
  { name: "object_id" },
  { name: "owner" },
];

/** The states that an address can name; by default, the exceptions that await a person. */
export const SHOWN_STATES = [...EXCEPTION_STATES, "all"] as const;

export function shownState({ state }: Filters): (typeof SHOWN_STATES)[number] {
  return SHOWN_STATES.find((known) => known === state) ?? "open";
}

/** The filters within a state. */
export function subjectInput({ kind, object_id, owner }: Filters) {
  const known = EXCEPTION_KINDS.find((one) => one === kind);
  return { ...(known && { kind: known }), ...(object_id ? { object_id } : {}), ...(owner ? { owner } : {}) };
}

/** Input of the list's procedure. */
export function exceptionInput(filters: Filters) {
  const state = shownState(filters);
  return { ...subjectInput(filters), ...(state === "all" ? {} : { state }) };
}
