// A representative part of `npm run faults:fuzz`: requests made from our own OpenAPI document.
import { expect, test } from "@playwright/test";
import { playFuzz } from "./fuzz/play";

test("generated requests get documented answers, never a 5xx, and a refused creation leaves no row", async () => {
  test.setTimeout(600_000);
  const { requests, missing, violations } = await playFuzz({ seed: 1, requests: 20_000, minutes: 9, sequence: null });
  expect(violations).toEqual([]);
  expect(missing).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(20_000);
});
