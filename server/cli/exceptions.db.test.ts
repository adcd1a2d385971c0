// Tests who may act on an exception at the command line: a member of its merchant, or the operator if it has no
// merchant.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import { NOBODY } from "@/server/domain/exceptions";
import { newId } from "@/server/platform/ids";
import { listExceptionsAcrossMerchants } from "@/server/services/exceptions/list";
import { createMerchant } from "@/server/services/merchants/create";
import { makeMember } from "@/server/testing/merchant";
import { runCommand } from "./testing/run-command";

const FINANCE = "finance@shop.example";

let merchantId: string;
let memberId: string;

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
  memberId = await makeMember(merchantId, FINANCE, "finance");
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

describe("assigning", () => {
  const ANA = "ana@shop.example";
  const assign = (id: string, to: string, as = FINANCE) =>
    runCommand("exceptions", "assign", "--id", id, "--as", as, "--to", to);
  const listed = async (...options: readonly string[]) => {
    const { data } = (await runCommand("exceptions", "list", "--open", ...options)) as { data?: { id: string }[] };
    return data?.map((one) => one.id);
  };

  it("makes a colleague the owner and puts it back; lists are of an owner", async () => {
    const ana = await makeMember(merchantId, ANA, "admin");
    const ours = ["--merchant", merchantId] as const;
    const [id, other] = [await open(merchantId), await open(merchantId)];
    const assigned = await assign(id, ANA);
    expect(assigned).toMatchObject({ id, owner: ana, assigned_by: memberId });
    expect(Date.parse(String(assigned.assigned_at))).not.toBeNaN();
    expect(await listed(...ours, "--owner", ANA)).toEqual([id]);
    expect(await listed(...ours, "--owner", "nobody")).toEqual([other]);
    expect(await listed("--owner", "nobody")).toContain(other);
    expect(await listed("--owner", "nobody")).not.toContain(id);
    expect(await assign(id, "nobody")).toMatchObject({ owner: null, assigned_by: null, assigned_at: null });
    expect(await listed(...ours, "--owner", ANA)).toEqual([]);
    const entries = await query(
      "SELECT action, actor_type, actor_id, after->>'owner_id' AS owner FROM audit_entry WHERE object_id = $1 ORDER BY id",
      id,
    );
    const entry = { action: "exception.assign", actor_type: "operator", actor_id: FINANCE };
    expect(entries).toEqual([
      { ...entry, owner: ana },
      { ...entry, owner: null },
    ]);
  });

  it("takes who may do it and a colleague who may decide, of the exception's merchant", async () => {
    const id = await open(merchantId);
    await makeMember(await createMerchant("Other", ["BRL"]), "foreign@shop.example", "owner");
    expect(await assign(id, FINANCE, "approver@shop.example")).toMatchObject({ code: "forbidden" });
    expect(await assign(id, "approver@shop.example")).toMatchObject({ code: "validation_failed" });
    for (const address of ["foreign@shop.example", "", "%"])
      expect(await assign(id, address)).toMatchObject({ code: "not_found" });
    expect(await assign(id, FINANCE, "foreign@shop.example")).toMatchObject({ code: "not_found" });
    expect(await assign(await open(NOBODY), FINANCE)).toMatchObject({
      message: "as must be omitted: the exception belongs to no merchant",
    });
    await resolve(id, "--as", FINANCE);
    expect(await assign(id, FINANCE)).toMatchObject({ code: "validation_failed" });
    expect(await runCommand("exceptions", "list", "--owner", FINANCE)).toMatchObject({
      code: "validation_failed",
      message: "owner requires merchant, unless it is nobody",
    });
  });
});

it.each(["exc_x", newId("exception")])("%s is not found", async (id) => {
  expect(await resolve(id)).toMatchObject({ code: "not_found", message: "There is no such exception." });
});
