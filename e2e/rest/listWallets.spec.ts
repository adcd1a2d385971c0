// GET /wallets, an extension: one wallet per enabled currency and environment.
import type { WalletList } from "@/server/contract/wallets";
import { bodyOf, createPayout, walletOf } from "./calls";
import { expect, test } from "./parties";

test.describe("200", () => {
  test("test wallets start with a million of each enabled currency, in its own minor units", async ({ api }) => {
    const { data } = bodyOf<WalletList>(await api.get("/wallets"), 200);
    const balances = Object.fromEntries(data.map(({ currency, available, held }) => [currency, [available, held]]));
    expect(balances).toEqual({
      BRL: ["100000000", "0"],
      MXN: ["100000000", "0"],
      USDT: ["1000000000000", "0"],
    });
    for (const wallet of data) expect(wallet).toMatchObject({ object: "wallet", environment: "test" });
  });

  test("live wallets start empty, and test activity does not change them", async ({ api, liveApi }) => {
    await createPayout(api);
    const { data } = bodyOf<WalletList>(await liveApi.get("/wallets"), 200);
    expect(data.map(({ currency }) => currency).sort()).toEqual(["BRL", "MXN", "USDT"]);
    for (const { environment, available, held } of data)
      expect([environment, available, held]).toEqual(["live", "0", "0"]);
  });

  test("another merchant's wallet does not change with ours", async ({ api, strangerApi }) => {
    const before = await walletOf(strangerApi, "BRL");
    await createPayout(api);
    expect(await walletOf(strangerApi, "BRL")).toEqual(before);
  });
});
