// Tests which part of an address becomes a saved view: the list's parameters, normalized, without the position.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { newId } from "@/server/platform/ids";
import { makeMerchant } from "@/server/testing/merchant";
import { createCaller } from "./router";

const inEnglish = () => Promise.resolve("en" as const);

const TEST = { environment: "test" } as const;
let views: ReturnType<typeof createCaller>["savedViews"];

beforeAll(async () => {
  const { merchantId, byMember } = await makeMerchant();
  const { id } = byMember().actor;
  const member = {
    id,
    email: "a@shop.example",
    roles: ["finance"],
    testRoles: null,
    name: null,
    merchantId,
    merchantName: "M",
  };
  const session = { merchantId, sessionId: newId("session"), member, mustEnrol: false };
  views = createCaller({ session, requestId: newId("request"), address: null, language: inEnglish }).savedViews;
});
afterAll(() => disconnect());

const save = (list: "payments" | "payouts" | "topups", query: string, name = newId("savedView")) =>
  views.save({ ...TEST, list, query, name });

describe("an address", () => {
  it.each([
    ["payouts", "", ""],
    ["payouts", "?status=failed,cancelled&currency=BRL", "currency=BRL&status=cancelled%2Cfailed"],
    ["payouts", "status=failed&status[]=cancelled", "status=cancelled%2Cfailed"],
    ["payouts", "queue=mine&cursor=abc&limit=5&colour=red", "queue=mine"],
    ["payouts", "sort=-created_at", ""],
    ["payouts", "sort=created_at&columns=status,country", "columns=country%2Cstatus&sort=created_at"],
    ["payments", "queue=mine&payment_method=BR_PIX", "payment_method=BR_PIX"],
    ["topups", "source_type=manual&merchant_reference=a%26b", "merchant_reference=a%26b&source_type=manual"],
    ["payments", "created_after=2026-11-01T00%3A00%3A00.000Z", "created_after=2026-11-01T00%3A00%3A00.000Z"],
  ] as const)("of %s with %j is saved as %j", async (list, query, kept) => {
    expect((await save(list, query)).query).toBe(kept);
  });

  it.each([
    ["payouts", "status=expired", "status"],
    ["payouts", "currency=XXX", "currency"],
    ["payouts", "currency=", "currency"],
    ["payouts", "queue=theirs", "queue"],
    ["payouts", "country=BR&country=MX", "country"],
    ["payouts", "sort=amount", "sort"],
    ["payments", "columns=%3Cscript%3E", "columns"],
    ["payments", "created_after=yesterday", "created_after"],
    ["payments", "country=%E0%A4%A", "query"],
    ["topups", "source_type=crypto", "source_type"],
    ["topups", `merchant_reference=${"x".repeat(256)}`, "merchant_reference"],
    ["topups", `merchant_reference=${encodeURIComponent("😀".repeat(200))}`, "query"],
    ["topups", "x".repeat(8_001), "query"],
  ] as const)("of %s with %j is rejected as its list would reject it", async (list, query, parameter) => {
    const refusal = { code: "BAD_REQUEST", message: expect.stringMatching(new RegExp(`^${parameter} `)) };
    await expect(save(list, query)).rejects.toMatchObject(refusal);
  });
});

describe("a name", () => {
  it("is saved without surrounding blanks, in composed form", async () => {
    expect((await save("payments", "", "  Fru\u0308h  ")).name).toBe("Früh");
  });

  it.each(["", "   ", "x".repeat(61), "a\0b", "\ud800"])("%j is rejected", async (name) => {
    const refusal = { code: "BAD_REQUEST", message: expect.stringMatching(/^name must/) };
    await expect(save("payments", "", name)).rejects.toMatchObject(refusal);
    const { id } = await save("payments", "");
    await expect(views.rename({ ...TEST, id, name })).rejects.toMatchObject(refusal);
  });
});

it("a saved view is listed, renamed and removed", async () => {
  const saved = await save("topups", "country=BR", "Brazil");
  const renamed = { ...saved, name: "Brasil" };
  expect(await views.rename({ ...TEST, id: saved.id, name: " Brasil " })).toEqual(renamed);
  expect(await views.list({ ...TEST, list: "topups" })).toContainEqual(renamed);
  await views.remove({ ...TEST, id: saved.id });
  expect(await views.list({ ...TEST, list: "topups" })).not.toContainEqual(renamed);
});
