import { expect, it } from "vitest";
import { stateDiagrams } from "./testing/state-diagrams";

it("docs/states.md shows the transition tables", async () => {
  await expect(stateDiagrams()).toMatchFileSnapshot("../../docs/states.md");
});
