// Every mutation is played with faults by `npm run faults`, or there is a reason why not.
import { expect, it } from "vitest";
import { MUTATIONS } from "@/e2e/faults/wire/mutations";
import { NOT_PLAYED } from "@/e2e/faults/wire/unplayed-mutations";
import { appRouter } from "./router";

it("every mutation has a fault scenario, or a reason for none", () => {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  const mutations = Object.keys(procedures).filter((path) => procedures[path]?._def.type === "mutation");
  expect([...Object.keys(MUTATIONS), ...Object.keys(NOT_PLAYED)].sort()).toEqual(mutations.sort());
});
