// What procedures answer, to members who read Portuguese and Spanish.
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { stuckException } from "@/server/domain/exceptions";
import { newId } from "@/server/platform/ids";
import { makeMember, makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { createCaller } from "./router";

const TEST = { environment: "test" } as const;

let merchant: TestMerchant;
let owner: string;
beforeAll(async () => {
  merchant = await makeMerchant();
  owner = await makeMember(merchant.merchantId, `${merchant.merchantId}@shop.example`, "owner");
});
afterAll(disconnect);

function dashboardIn(language: DashboardLanguage, role = "owner") {
  const place = { merchantId: merchant.merchantId, merchantName: "M" };
  const member = { id: owner, email: "a@shop.example", roles: [role], testRoles: null, name: null, ...place };
  const session = { ...place, sessionId: newId("session"), member, mustEnrol: false };
  return createCaller({
    session,
    requestId: newId("request"),
    address: null,
    language: () => Promise.resolve(language),
  });
}

it.each([
  ["en", "There is no such exception."],
  ["pt-BR", "Essa exceção não existe."],
  ["es", "Esa excepción no existe."],
] as const)("a rejection in %s", async (language, message) => {
  const take = dashboardIn(language).exceptions.take({ ...TEST, id: newId("exception") });
  await expect(take).rejects.toMatchObject({ code: "NOT_FOUND", message });
});

it("an input that does not fit its schema, and a role that does not allow the act", async () => {
  const find = dashboardIn("es").search.find({ ...TEST, text: "x".repeat(1_000) });
  await expect(find).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringContaining("debe tener como máximo") as string,
  });
  const list = dashboardIn("pt-BR", "developer").exceptions.count(TEST);
  await expect(list).rejects.toMatchObject({
    code: "FORBIDDEN",
    message: "Só um membro com a função proprietário ou administrador ou financeiro pode assumir ou resolver exceções.",
  });
});

it("what an exception has recorded, also by an earlier release; the row keeps its English", async () => {
  const why = "our books have 7500 BRL";
  const fact = { ...stuckException(newId("paymentIntent"), "standstill", why), scope: merchant.scope };
  await openException(fact, new Date());
  const { data } = await dashboardIn("pt-BR").exceptions.list({ ...TEST, limit: "10" });
  expect(data.map(({ detail }) => detail.why)).toEqual(["nossos livros têm 75,00 BRL"]);
  const stored = await query("SELECT detail->>'why' AS why FROM exception WHERE merchant_id = $1", merchant.merchantId);
  expect(stored).toEqual([{ why }]);
});
