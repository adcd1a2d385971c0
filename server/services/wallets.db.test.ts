// Wallets of new merchants are funded in test and empty in live; each funding is booked once.
import { afterEach, describe, expect, it } from "vitest";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { makeMerchant } from "@/server/testing/merchant";
import { createMerchant } from "./merchants/create";
import { operatorContext } from "./merchants/operator";
import { fundWallet, getWallets } from "./wallets";

afterEach(requireInvariants);

describe("a new merchant", () => {
  it("has a million major units of each currency in test, and nothing in live", async () => {
    const { merchantId } = await makeMerchant(["BRL", "JPY", "KWD", "USDT"]);
    const wallets = (environment: "test" | "live") => getWallets({ merchantId, environment });
    expect(await wallets("test")).toEqual([
      { currency: "BRL", available: 100_000_000n, held: 0n },
      { currency: "JPY", available: 1_000_000n, held: 0n },
      { currency: "KWD", available: 1_000_000_000n, held: 0n },
      { currency: "USDT", available: 1_000_000_000_000n, held: 0n },
    ]);
    expect((await wallets("live")).map(({ available, held }) => available + held)).toEqual([0n, 0n, 0n, 0n]);
  });

  it.each([
    ["", ["BRL"], "name"],
    [" ", ["BRL"], "name"],
    ["Shop", [], "currencies"],
    ["Shop", ["BRL", "XXX"], "currencies"],
    ["Shop", ["brl"], "currencies"],
  ])("named %j with %j is rejected for its %s and leaves nothing", async (name, currencies, field) => {
    const before = await countRows("merchant");
    await expect(createMerchant(name, currencies)).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(new RegExp(`^${field} `)),
    });
    expect(await countRows("merchant")).toBe(before);
  });
});

describe("funding", () => {
  it("under one reference is booked once, despite simultaneous requests", async () => {
    const { merchantId } = await makeMerchant();
    const fund = () =>
      fundWallet(operatorContext(merchantId, "live"), { currency: "BRL", amount: 500n, reference: "k" });
    await Promise.all(Array.from({ length: 20 }, fund));
    expect(await getWallets({ merchantId, environment: "live" })).toEqual([
      { currency: "BRL", available: 500n, held: 0n },
    ]);
  });

  it("under a reference used for another amount or currency is rejected", async () => {
    const { merchantId } = await makeMerchant(["BRL", "MXN"]);
    const fund = (currency: string, amount: bigint, reference = "wire 1") =>
      fundWallet(operatorContext(merchantId, "live"), { currency, amount, reference });
    expect([await fund("BRL", 500n), await fund("BRL", 500n)]).toEqual([true, false]);
    const others: readonly (readonly [currency: string, amount: bigint, reference: string])[] = [
      ["BRL", 501n, "wire 1"],
      ["MXN", 500n, "wire 1"],
      ["BRL", 1n, "é"],
      ["BRL", 1n, "x".repeat(256)],
    ];
    for (const other of others) await expect(fund(...other)).rejects.toMatchObject({ code: "validation_failed" });
    const [brl] = await getWallets({ merchantId, environment: "live" });
    expect(brl?.available).toBe(500n);
  });

  it("without a reference is booked each time, in its environment", async () => {
    const { merchantId } = await makeMerchant();
    const fund = () => fundWallet(operatorContext(merchantId, "live"), { currency: "BRL", amount: 500n });
    await Promise.all(Array.from({ length: 20 }, fund));
    expect((await getWallets({ merchantId, environment: "live" }))[0]?.available).toBe(10_000n);
    expect((await getWallets({ merchantId, environment: "test" }))[0]?.available).toBe(100_000_000n);
  });

  it.each([0n, -1n])("of %s is rejected", async (amount) => {
    const { merchantId } = await makeMerchant();
    await expect(fundWallet(operatorContext(merchantId, "live"), { currency: "BRL", amount })).rejects.toMatchObject({
      code: "validation_failed",
    });
  });

  it("in a currency that is not enabled, or of an unknown merchant, is rejected", async () => {
    const { merchantId } = await makeMerchant();
    const fund = (id: string, currency: string) => fundWallet(operatorContext(id, "live"), { currency, amount: 1n });
    await expect(fund(merchantId, "MXN")).rejects.toMatchObject({ code: "validation_failed" });
    await expect(fund("mer_01h455vb4pex5vsknk084sn02q", "BRL")).rejects.toMatchObject({ code: "not_found" });
  });
});
