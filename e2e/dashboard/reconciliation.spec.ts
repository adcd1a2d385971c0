// Reconciliation: files, their lines by verdict, and the exceptions that they lead to.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paymentBody } from "../rest/bodies";
import { openDatabase, referenceOf } from "../rest/database";
import type { Api } from "../support/api";
import { cli } from "../support/cli";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";

const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
/** Long ago, so that today's movements of other specs are not reported as missing in the file. */
const [FROM, UNTIL] = ["2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z"];

async function createPaid(api: Api): Promise<string> {
  const { id } = (await api.post("/payment_intents", paymentBody())).body as { id: string };
  await api.post("/sandbox/simulate", { id, outcome: "succeeded" });
  return id;
}

test("finance sees which lines of a provider's file match, and follows a difference to its exception", async ({
  page,
  service,
  ownApi,
  openAs,
}) => {
  test.setTimeout(240_000);
  const [right, wrong] = [await createPaid(ownApi), await createPaid(ownApi)];
  const [name, folder] = [`${randomUUID()}.csv`, mkdtempSync(join(tmpdir(), "sluice-settlement-"))];
  try {
    const database = await openDatabase(service.dataDir);
    const line = async (id: string, amount: string) =>
      `${id},payment,${await referenceOf(database, id)},px,${amount},BRL,12,${FROM}`;
    const lines = [await line(right, "1050"), await line(wrong, "1040")];
    await database.close();
    const file = join(folder, name);
    writeFileSync(file, [HEADER, ...lines, ""].join("\n"));
    const words = ["--provider", "sandbox", "--environment", "test", "--file", file, "--from", FROM, "--to", UNTIL];
    await expect(cli(service, "reconcile", ...words)).rejects.toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
  await openAs("finance", "/test/reconciliation");
  await expect(page.getByRole("row", { name })).toContainText("1 differing sum");
  await expectAccessible(page, 0);
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByRole("button", { name: "Differing sum 1" }).click();
  await expect(page).toHaveURL(/\?verdict=amount_mismatch$/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("row", { name: wrong })).toContainText("our books have 1050 BRL");
  await expectAccessible(page, 1);
  await page.getByRole("row", { name: wrong }).getByRole("link", { name: "Exceptions" }).click();
  await expect(page).toHaveURL(new RegExp(`object_id=${wrong}`));
  await expect(page.locator("summary", { hasText: "Differing sum" })).toContainText("10.40 BRL");
});

test("an approver sees neither reconciliation nor a link to it", async ({ page, openAs }) => {
  await openAs("approver", "/test/payments");
  await expect(page.getByRole("link", { name: "Reconciliation" })).toHaveCount(0);
  expect((await page.goto("/test/reconciliation"))?.status()).toBe(404);
});
