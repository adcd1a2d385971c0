// What `providers check` says about a store.
import { describe, expect, it } from "vitest";
import type { BtcpayStore } from "@/e2e/support/fake-btcpay/book";
import { FakeBtcpay } from "@/e2e/support/fake-btcpay/server";
import { withFake } from "../testing/fake";
import { signal } from "../testing/outcomes";
import { createBtcpayInspection } from "./inspection";
import { configAt, KEY, STORE } from "./testing/entry";

let fake: FakeBtcpay;
let store: BtcpayStore;

withFake(FakeBtcpay.start, (started) => {
  fake = started;
  store = fake.open(KEY, { storeId: STORE });
});

const check = async (changes: object = {}) =>
  (await createBtcpayInspection(configAt(fake.url, changes))(signal)).map(({ level, text }) => `${level}: ${text}`);

describe("a check", () => {
  it("of a good entry finds nothing wrong, and changes nothing", async () => {
    expect(await check()).toEqual([
      "ok: secret_key may create invoices",
      `ok: secret_key reads the invoices of store ${STORE}`,
      "ok: the store has a wallet for BTC",
      "ok: the store has a wallet for USDT",
    ]);
    expect(fake.calls.every(({ method }) => method === "GET")).toBe(true);
    expect(fake.calls.length).toBeLessThanOrEqual(4);
  });

  it("of a wrong key is a fault", async () => {
    expect(await check({ secret_key: "cd".repeat(20) })).toEqual(["fault: BTCPay rejects secret_key"]);
  });

  it.each([
    ["btcpay.store.cancreateinvoice", /^fault: secret_key lacks the permission btcpay.store.cancreateinvoice/],
    ["btcpay.store.canviewinvoices", /^fault: the invoices of store .* btcpay.store.canviewinvoices$/],
    ["btcpay.store.canviewstoresettings", /^fault: rates .* btcpay.store.canviewstoresettings$/],
  ])("of a key without %s is a fault that names it", async (missing, text) => {
    store.permissions = store.permissions.filter((one) => !one.startsWith(missing));
    expect(await check()).toContainEqual(expect.stringMatching(text));
  });

  it.each([["unrestricted"], ["btcpay.store.canmodifystoresettings"]])(
    "accepts the wider permission %s",
    async (wide) => {
      store.permissions = [wide];
      expect((await check())[0]).toBe("ok: secret_key may create invoices");
    },
  );

  it("of a key of another store is a fault", async () => {
    const other = "AAAACiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K";
    expect((await check({ account: other }))[0]).toMatch(/^fault: .* for store AAAA/);
    store.permissions = ["unrestricted"];
    expect((await check({ account: other }))[1]).toMatch(/^fault: the invoices of store AAAA.*status 403/);
  });

  it("of a token without a wallet is a fault", async () => {
    store.enabled = ["BTC-CHAIN"];
    expect((await check()).at(-1)).toMatch(/^fault: the store has no wallet for USDT: payment method USDt-CHAIN/);
  });

  it("of a store in which anyone can create invoices is a warning", async () => {
    store.isOpen = true;
    expect((await check()).at(-1)).toMatch(/^warning: anyone can create invoices/);
  });

  it("of a server that does not answer is a warning", async () => {
    fake.spoil(/./, "html", "error_before", "lost_answer", "html");
    expect(await check()).toEqual([
      expect.stringMatching(/^warning: secret_key was not checked/),
      expect.stringMatching(/^warning: /),
      expect.stringMatching(/^warning: /),
    ]);
  });
});
