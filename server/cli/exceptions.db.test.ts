// Tests who may act on an exception at the command line: a member of its merchant, or the operator if it has no
// merchant.
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import { NOBODY } from "@/server/domain/exceptions";
import { newId } from "@/server/platform/ids";
import { listExceptionsAcrossMerchants } from "@/server/services/exceptions/list";
import { createMerchant } from "@/server/services/merchants/create";
import { makeMember } from "@/server/testing/merchant";
import { runCommand } from "./testing/run-command";

const FINANCE = "finance@shop.example";

let merchantId: string;

async function open(merchant: string): Promise<string> {
  const scope = { merchantId: merchant, environment: "live" } as const;
  const objectId = newId("paymentIntent");
  const kind = merchant === NOBODY ? "missing_internal" : "stuck";
  await openException({ kind, objectId, fact: `${kind}:${objectId}`, detail: {}, scope }, new Date());
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: null, openOnly: true });
  return exceptions.find((one) => one.objectId === objectId)?.id ?? "";
}

const resolve = (id: string, ...as: readonly string[]) =>
  runCommand("exceptions", "resolve", "--id", id, "--resolution", "Done.", ...as);

beforeAll(async () => {
  merchantId = await createMerchant("Shop", ["BRL"]);
  await makeMember(merchantId, FINANCE, "finance");
  await makeMember(merchantId, "approver@shop.example", "approver");
});
afterAll(disconnect);

it("a merchant's exception requires a member of the merchant with the role", async () => {
  const id = await open(merchantId);
  expect(await resolve(id)).toMatchObject({
    code: "validation_failed",
    message: "as must name a member of the exception's merchant",
  });
  expect(await resolve(id, "--as", "nobody@shop.example")).toMatchObject({ code: "not_found" });
  expect(await resolve(id, "--as", "approver@shop.example")).toMatchObject({ code: "forbidden" });
  expect(await resolve(id, "--as", FINANCE)).toMatchObject({ id, resolved_by: `operator:${FINANCE}` });
});

it("only the operator acts on an exception without a merchant", async () => {
  const id = await open(NOBODY);
  expect(await resolve(id, "--as", FINANCE)).toMatchObject({
    code: "validation_failed",
    message: "as must be omitted: the exception belongs to no merchant",
  });
  expect(await resolve(id)).toMatchObject({ id, merchant_id: null, resolved_by: "operator:cli" });
});

it.each(["exc_x", newId("exception")])("%s is not found", async (id) => {
  expect(await resolve(id)).toMatchObject({ code: "not_found", message: "There is no such exception." });
});
