import { EVENT_CATALOGUE, EVENT_TYPES } from "@/server/domain/events";
import { triggerEvent } from "@/server/services/sandbox/trigger";
import { type Command, defineCommand, required } from "../command";

export const trigger: readonly Command[] = EVENT_TYPES.map((type) =>
  defineCommand({
    name: `trigger ${type}`,
    summary: `Make a test ${EVENT_CATALOGUE[type].intent.replace("_", " ")} end as ${type} says`,
    cells: "merchant",
    options: { merchant: required("ID", "the merchant") },
    run: async ({ merchant }) => ({ type, id: await triggerEvent(merchant, type) }),
  }),
);
