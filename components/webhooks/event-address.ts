// The state in the address of the list of events, parsed the same way by server and browser.
import { EVENT_TYPES } from "@/server/domain/events";
import type { Filters, ListField } from "../lists/filters";

export const EVENT_FIELDS: readonly ListField[] = [{ name: "type" }, { name: "intent_id" }];

/** The filters as input of the procedure. */
export function eventInput({ type, intent_id: intentId }: Filters) {
  const known = EVENT_TYPES.find((name) => name === type);
  return { ...(known && { type: known }), ...(intentId !== undefined && { intent_id: intentId }) };
}
