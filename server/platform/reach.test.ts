import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import {
  acrossMerchants,
  currentReach,
  EVERY_MERCHANT,
  OutOfReach,
  requireReach,
  withinMerchant,
  withinMerchants,
} from "./reach";

it("work without a merchant has no reach", () => {
  expect(() => currentReach()).toThrow(OutOfReach);
  expect(() => requireReach("mer_a")).toThrow(OutOfReach);
});

it("work keeps its merchant while others run beside it", async () => {
  const work = (id: string) =>
    withinMerchant(id, async () => {
      await turn();
      return currentReach();
    });
  expect(await Promise.all(["mer_a", "mer_b", "mer_c"].map(work))).toEqual(["mer_a", "mer_b", "mer_c"]);
});

it("work of one merchant cannot become another's", () => {
  expect(withinMerchant("mer_a", () => withinMerchant("mer_a", currentReach))).toBe("mer_a");
  expect(() => withinMerchant("mer_a", () => withinMerchant("mer_b", currentReach))).toThrow(OutOfReach);
  expect(() => withinMerchant("mer_a", () => requireReach("mer_b"))).toThrow(OutOfReach);
});

it("work across merchants can be narrowed to one", () => {
  expect(acrossMerchants(currentReach)).toBe(EVERY_MERCHANT);
  expect(acrossMerchants(() => withinMerchant("mer_a", currentReach))).toBe("mer_a");
});

it("a batch reaches the merchants of its items, whoever runs it", () => {
  const batch = () => withinMerchants(["mer_b", "mer_c", "mer_b"], currentReach);
  expect(withinMerchant("mer_a", batch)).toBe("mer_b,mer_c");
  withinMerchants(["mer_b", "mer_c"], () => expect(() => requireReach("mer_")).toThrow(OutOfReach));
});
