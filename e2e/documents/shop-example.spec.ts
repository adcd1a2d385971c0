// The example shop as its readers run it: built, started, and used by a customer in a browser.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEndpoint } from "../rest/webhook-calls";
import { borrowPackages } from "../support/borrowed-packages";
import { expect, test } from "../support/fixtures";
import { installClient, runIn } from "../support/packed-client";
import { freePort } from "../support/service";
import { PROJECT_ROOT, serviceVariables } from "../support/service-process";

const NEXT = "node_modules/next/dist/bin/next";
const PACKAGES = ["next", "react", "react-dom", "typescript", "@types/node", "@types/react"];

/** Copies the shop and gives it its packages: the client from its tarball, the rest from this project. */
async function makeShop(): Promise<string> {
  mkdirSync(join(PROJECT_ROOT, ".data"), { recursive: true });
  const shop = mkdtempSync(join(PROJECT_ROOT, ".data/example-shop-"));
  cpSync(join(PROJECT_ROOT, "client/examples/shop"), shop, { recursive: true });
  const packages = mkdtempSync(join(tmpdir(), "sluice-shop-client-"));
  try {
    await installClient(packages);
    cpSync(join(packages, "node_modules/@sluice"), join(shop, "node_modules/@sluice"), { recursive: true });
    borrowPackages(shop, PACKAGES);
  } finally {
    rmSync(packages, { recursive: true, force: true });
  }
  return shop;
}

test("a customer buys at the example shop with Pix, and the shop hears of it by a verified webhook", async ({
  apiFor,
  ownMerchant,
  page,
  service,
}) => {
  test.setTimeout(600_000);
  const shop = await makeShop();
  let server: ChildProcess | undefined;
  try {
    await runIn(shop, process.execPath, NEXT, "build");
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const api = apiFor(ownMerchant.keys.test);
    const { secret } = await createEndpoint(api, `http://127.0.0.1:${port}/hooks`);
    server = spawn(process.execPath, [NEXT, "start", "--port", String(port)], {
      cwd: shop,
      stdio: "inherit",
      env: {
        ...serviceVariables({ NEXT_TELEMETRY_DISABLED: "1" }),
        SLUICE_BASE_URL: service.baseUrl,
        SLUICE_PUBLIC_KEY: ownMerchant.keys.test.publicKey,
        SLUICE_SECRET_KEY: ownMerchant.keys.test.secretKey,
        SLUICE_WEBHOOK_SECRET: secret,
        SHOP_URL: address,
        ORDERS_DIR: join(shop, "orders"),
      },
    });
    await expect
      .poll(
        () =>
          fetch(address).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 120_000 },
      )
      .toBe(200);

    await page.goto(address);
    await page.getByRole("button", { name: "Buy Coffee, 500 g" }).click();
    await expect(page.getByRole("status")).toHaveText("Waiting for your payment");
    const order = page.url();
    // A picture that could not be loaded has no width of its own.
    const picture = page.getByRole("img", { name: "QR code for Pix" });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await page.getByRole("link", { name: "Instructions for this payment" }).click();
    await expect(page.getByText("Coffee, 500 g", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Paid", exact: true })).toBeVisible();
    await page.getByRole("link", { name: /^Back to / }).click();
    await page.waitForURL(order);
    await expect(page.getByRole("status")).toHaveText("Paid. Thank you!", { timeout: 120_000 });

    // The order and the payment are one each.
    const { data } = (await api.get("/payment_intents")).body as { data: Record<string, unknown>[] };
    const reference = order.split("/").at(-1);
    expect(data).toMatchObject([{ merchant_reference: reference, amount: "4590", status: "succeeded" }]);
    expect(readdirSync(join(shop, "orders")).toSorted()).toEqual(
      ["end", "payment", "placed"].map((fact) => `${reference}.${fact}.json`),
    );

    const forged = await fetch(`${address}/hooks`, {
      method: "POST",
      headers: {
        "webhook-id": "evt_1",
        "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
        "webhook-signature": "v1,bm90aGluZw==",
      },
      body: JSON.stringify({ type: "payment_intent.succeeded", data: { payment_intent_id: data[0]?.id } }),
    });
    expect(forged.status).toBe(400);
    expect((await fetch(`${address}/orders/..%2f..%2fpackage`)).status).toBe(404);
  } finally {
    server?.kill("SIGKILL");
    rmSync(shop, { recursive: true, force: true });
  }
});
