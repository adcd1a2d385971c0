// The matrix of the REST API again, while no statement asks for the merchant: row-level security alone must hold.
import { expect, it } from "vitest";
import { leaveOutMerchantConditions } from "@/server/db/testing/merchant-conditions";

const leftOut = leaveOutMerchantConditions();
await import("./authorization.db.test");

it("leaves conditions out that would otherwise have kept merchants apart", () => {
  expect(leftOut()).toBeGreaterThan(1_000);
});
