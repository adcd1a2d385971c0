// What the payer's page and its routes reject without revealing anything.
import { createApi, fetchValidator } from "../support/api";
import { startFakePsp } from "../support/fake-psp/start";
import { expect, test } from "../support/fixtures";
import { createMerchant } from "../support/merchant";
import { createPayment, readPayment } from "./payments";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

for (const [title, id] of [
  ["an unknown id", "dord_00000000000000000000000000"],
  ["a malformed id", "dord_nothing"],
  ["an id of another kind", "word_01h455vb4pex5vsknk084sn02q"],
] as const) {
  test(`${title} is a 404 page, and a 404 on every route below it`, async ({ page, service }) => {
    const answer = await page.goto(`/pay/${id}`);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "There is no payment here" })).toBeVisible();
    for (const path of ["state", "qr.svg", "qr.png", "logo.png"]) {
      expect((await fetch(`${service.baseUrl}/pay/${id}/${path}`)).status).toBe(404);
    }
    const headers = { ...FORM, origin: service.baseUrl };
    const decided = await fetch(`${service.baseUrl}/pay/${id}/decide`, {
      method: "POST",
      headers,
      body: "outcome=succeeded",
    });
    expect(decided.status).toBe(404);
  });
}

for (const [title, headers] of [
  ["says nothing about its origin", {}],
  ["comes from another origin", { origin: "https://shop.example" }],
  ["comes from another site, whatever its Origin", { "sec-fetch-site": "cross-site", origin: "$self" }],
  ["comes from a neighbour of the same site", { "sec-fetch-site": "same-site" }],
] as const) {
  test(`a form that ${title} changes nothing`, async ({ api, service }) => {
    const { id } = await createPayment(api, "BR_PIX");
    const sent = Object.entries({ ...FORM, ...headers }).map(([name, value]) => [
      name,
      value === "$self" ? service.baseUrl : value,
    ]);
    const answer = await fetch(`${service.baseUrl}/pay/${id}/decide`, {
      method: "POST",
      headers: Object.fromEntries(sent) as Record<string, string>,
      body: "outcome=succeeded",
    });
    expect(answer.status).toBe(403);
    expect(await readPayment(api, id)).toMatchObject({ status: "requires_action" });
  });
}

test("only the four outcomes of the buttons are accepted, and a GET decides nothing", async ({ api, service }) => {
  const { id } = await createPayment(api, "BR_PIX");
  const address = `${service.baseUrl}/pay/${id}/decide`;
  for (const body of ["outcome=pending", "outcome=", "", "outcome=requires_action"]) {
    const answer = await fetch(address, { method: "POST", headers: { ...FORM, origin: service.baseUrl }, body });
    expect(answer.status).toBe(400);
  }
  expect((await fetch(`${address}?outcome=succeeded`)).status).toBe(405);
  expect(await readPayment(api, id)).toMatchObject({
    status: "requires_action",
    next_action: { type: "display_qr_code" },
  });
});

test("a live payment shows its instructions without buttons, and its page cannot decide it", async ({
  page,
  startOwnService,
}) => {
  test.slow();
  const psp = await startFakePsp();
  const service = await startOwnService({ env: { PROVIDERS: JSON.stringify([psp.config()]) } });
  const merchant = await createMerchant(service);
  const api = createApi(service.baseUrl, merchant.keys.live, await fetchValidator(service.baseUrl));
  const { id, next_action: action } = await createPayment(api, "BR_PIX");
  expect(action).toMatchObject({ hosted_instructions_url: `${service.baseUrl}/pay/${id}` });
  await page.goto(`${service.baseUrl}/pay/${id}`);
  await expect(page.getByRole("img", { name: "QR code of this payment" })).toBeVisible();
  await expect(page.getByText("Test payment.")).toHaveCount(0);
  await expect(page.locator("form")).toHaveCount(0);
  await expect(page.getByRole("button")).toHaveText(["Copy"]);
  const headers = { ...FORM, origin: service.baseUrl };
  const decided = await fetch(`${service.baseUrl}/pay/${id}/decide`, {
    method: "POST",
    headers,
    body: "outcome=succeeded",
  });
  expect(decided.status).toBe(404);
  expect(await readPayment(api, id)).toMatchObject({ status: "requires_action" });
  await psp.stop();
});

test("the QR images are files of the code, and 404 once there is nothing to scan", async ({ api }) => {
  const { id, next_action: action } = await createPayment(api, "BR_PIX");
  if (action?.type !== "display_qr_code") throw new Error("no QR code");
  const svg = await fetch(action.image_url_svg);
  expect([svg.status, svg.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  expect(await svg.text()).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"/);
  const png = await fetch(action.image_url_png);
  expect([png.status, png.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(
    Buffer.from(await png.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
  await api.post("/sandbox/simulate", { id, outcome: "succeeded" });
  expect((await fetch(action.image_url_svg)).status).toBe(404);
  expect((await fetch(action.image_url_png)).status).toBe(404);
});

test("the page and its routes are neither cached, indexed nor framed", async ({ api, service }) => {
  const { id } = await createPayment(api, "BR_PIX");
  for (const path of ["", "/state", "/qr.svg"]) {
    const { headers } = await fetch(`${service.baseUrl}/pay/${id}${path}`);
    expect(headers.get("cache-control")).toContain("no-store");
    expect(headers.get("x-robots-tag")).toContain("noindex");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  }
});
