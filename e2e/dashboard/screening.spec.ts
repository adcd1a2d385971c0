// A payout that the screener holds: the dashboard shows why, and another person releases or refuses it.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "@playwright/test";
import { createApi, fetchValidator } from "../support/api";
import { createMerchant } from "../support/merchant";
import { type Service, startService } from "../support/service";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { createMember, signInTo } from "./members";
import { createPayout, readPayout } from "./payouts";

const SECRET = "a secret that only the screener knows";

/** Holds every payout; returns its address. */
async function startScreener() {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on("end", () => {
      const { payout_id } = JSON.parse(text) as { payout_id: string };
      const answer = { payout_id, verdict: "hold", reason: "A similar name is on a list.", reference: "case-7" };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}

async function newPage(browser: Browser): Promise<Page> {
  return (await browser.newContext({ baseURL: service.baseUrl })).newPage();
}

let screener: Awaited<ReturnType<typeof startScreener>>;
let service: Service;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  screener = await startScreener();
  service = await startService({ env: { SCREENING_URL: screener.url, SCREENING_SECRET: SECRET } });
});
test.afterAll(async () => {
  await service?.dispose();
  screener?.stop();
});

test("a held payout shows why, and is paid after another person has released it", async ({ browser }) => {
  const merchant = await createMerchant(service);
  const [approver, releaser] = [
    await createMember(service, merchant, "approver"),
    await createMember(service, merchant, "owner"),
  ];
  const api = createApi(service.baseUrl, merchant.keys.test, await fetchValidator(service.baseUrl));
  const [{ id }, { id: other }] = [await createPayout(api, "Ana Souza"), await createPayout(api, "Rui Costa")];
  const [page, theirs] = [await newPage(browser), await newPage(browser)];
  await signInTo(page, approver, "/test/payouts?queue=mine");
  for (const name of ["Ana Souza", "Rui Costa"]) {
    await page.getByRole("button", { name: `Approve 25.04 BRL to ${name}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve 25.04 BRL" }).click();
    await expect(page.getByRole("button", { name: `Approve 25.04 BRL to ${name}` })).toHaveCount(0);
  }

  await signInTo(theirs, releaser, `/test/payouts/${id}`);
  await expect(theirs.getByText("A similar name is on a list.").first()).toBeVisible();
  await expectAccessible(theirs, 0);
  expect((await readPayout(api, id)).status).toBe("processing");
  await theirs.getByRole("button", { name: "Release…" }).click();
  await theirs.getByRole("dialog").getByRole("button", { name: "Release" }).click();
  await expect(theirs.getByText("Held, then released").first()).toBeVisible();
  await expect.poll(async () => (await readPayout(api, id)).status, { timeout: 30_000 }).toBe("succeeded");

  await theirs.goto(`/test/exceptions?object_id=${other}`);
  await expect(theirs.locator("summary").getByText("Held by screening")).toBeVisible();
  await theirs.goto(`/test/payouts/${other}`);
  await theirs.getByRole("button", { name: "Refuse…" }).click();
  await theirs.getByRole("dialog").getByRole("button", { name: "Refuse" }).click();
  await expect.poll(async () => (await readPayout(api, other)).status, { timeout: 30_000 }).toBe("cancelled");
  expect(await readPayout(api, other)).toMatchObject({
    failure_code: "cancelled",
    failure_message: "Refused before it was sent.",
  });
  await Promise.all([page, theirs].map((one) => one.context().close()));
});
