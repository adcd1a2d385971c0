// Webhook endpoints: added, sent events, inspected, resent, replayed, deleted.
import { createEndpoint, patch, remove } from "../rest/webhook-calls";
import { startReceiver } from "../support/receiver";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { createPayout } from "./payouts";
import { expectFits } from "./widths";

test("a developer adds an endpoint, sees its secret once and its deliveries; resends, replays, rotates, deletes", async ({
  page,
  ownApi,
  openAs,
}) => {
  test.setTimeout(300_000);
  const receiver = await startReceiver();
  try {
    await openAs("developer", "/test/webhooks/endpoints");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill(`${receiver.url}/hooks`);
    await dialog.getByRole("button", { name: "Add endpoint" }).click();
    await expect(dialog.getByText(/^whsec_/)).toBeVisible();
    const secret = await dialog.getByText(/^whsec_/).textContent();
    await dialog.getByRole("button", { name: "I’ve saved it" }).click();
    await page.getByRole("link", { name: `${receiver.url}/hooks` }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Enabled");
    expect(await page.content()).not.toContain(secret);

    await page.getByLabel("Type of the test event").selectOption("payout_intent.failed");
    await page.getByRole("button", { name: "Send a test event" }).click();
    await expect(page.getByText("The test event was accepted: HTTP 200")).toBeVisible();
    expect(receiver.received.map(({ headers }) => headers["webhook-test"])).toEqual(["true"]);
    expect(receiver.received[0]?.body).toContain('"type":"payout_intent.failed"');

    const { id } = await createPayout(ownApi, "Vendor");
    await ownApi.post(`/payout_intents/${id}/cancel`, {});
    const line = page.locator("summary", { hasText: "payout_intent.cancelled" });
    await expect(line.getByText("Delivered")).toBeVisible();
    await expect(line.getByText(id)).toBeVisible();
    await line.click();
    await expect(page.getByText("Attempt 1: HTTP 200")).toBeVisible();
    await expect(page.getByText("Response to attempt 1")).toBeVisible();
    const sentBody = receiver.received[1]?.body ?? "";
    await expect(page.getByText(sentBody, { exact: true })).toBeVisible();
    await page.getByText("Send it with curl").click();
    await expect(page.getByText("openssl dgst -sha256")).toBeVisible();
    expect(await page.content()).not.toContain(secret);
    const health = page.getByRole("region", { name: "Health" });
    await expect(health.getByText("100.0%")).toBeVisible();
    const history = page.getByRole("slider", { name: "Attempts of the last 7 days, in stretches of 6 hours" });
    await expect(history).toHaveAttribute("aria-valuetext", /: 100\.0% of \d+ accepted, median \d+ ms/, {
      timeout: 90_000,
    });
    await history.press("Home");
    await expect(history).toHaveAttribute("aria-valuetext", /: nothing was sent$/);
    await history.press("End");
    await page.getByText("Figures as a table").click();
    await expect(page.getByRole("row", { name: /100\.0%/ })).toHaveCount(1);
    await expectAccessible(page, 0);
    await page.getByRole("button", { name: /^Resend payout_intent.cancelled/ }).click();
    await expect(page.getByText("Attempt 2: HTTP 200")).toBeVisible();
    const bodies = receiver.received.slice(1).map(({ body }) => body);
    expect(bodies).toEqual([bodies[0], bodies[0]]);

    receiver.answer(500);
    await page.getByRole("button", { name: /^Resend payout_intent.cancelled/ }).click();
    await expect(page.getByText("Attempt 3: HTTP 500")).toBeVisible();
    await expect(page.getByText("Failing since")).toBeVisible();
    await expect(page.getByText("Last accepted")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Failing");
    await expect(page.getByRole("heading", { level: 1 })).not.toContainText("Enabled");
    // The worker may have tried again meanwhile.
    await expect(health.getByText(/^[1-9][0-9]?\.\d%$/)).toBeVisible();
    await expect(health.getByText("HTTP 500")).toBeVisible();
    await expect(health.getByText(/^of \d+ in 24 hours$/)).toBeVisible();
    await expectAccessible(page, 3);
    await page.getByRole("link", { name: "Webhook endpoints" }).click();
    await expectFits(page);
    await expect(page.getByText(/^Failing since .*; last success .*; HTTP 500$/)).toBeVisible();
    await expect(page.getByRole("row").getByText("Failing", { exact: true })).toBeVisible();
    await expect(page.getByRole("row").getByText("Enabled", { exact: true })).toHaveCount(0);
    receiver.answer(200);
    await page.getByRole("link", { name: `${receiver.url}/hooks` }).click();

    await page.getByRole("button", { name: "Replay…" }).click();
    await dialog.getByRole("button", { name: "Resend", exact: true }).click();
    await expect(page.getByText("0 deliveries are due now.")).toBeVisible();

    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Paused");
    await page.getByRole("button", { name: "Rotate secret…" }).click();
    await dialog.getByRole("button", { name: "Rotate secret" }).click();
    await expect(dialog.getByText(/^whsec_/)).toBeVisible();
    expect(await dialog.getByText(/^whsec_/).textContent()).not.toBe(secret);
    await dialog.getByRole("button", { name: "I’ve saved it" }).click();

    await page.getByRole("button", { name: "Delete…" }).click();
    await dialog.getByRole("button", { name: "Delete endpoint" }).click();
    await expect(page.getByText("No endpoints yet.")).toBeVisible();
    expect((await ownApi.get("/webhook_endpoints")).body).toMatchObject({ data: [] });
  } finally {
    await receiver.stop();
  }
});

test("a developer walks from a payout to its event, its deliveries and back, and resends several with a verdict each", async ({
  page,
  ownApi,
  openAs,
}) => {
  const receiver = await startReceiver();
  try {
    const endpoints: string[] = [];
    for (const path of ["first", "second", "third"]) {
      const body = { url: `${receiver.url}/${path}` };
      endpoints.push(((await ownApi.post("/webhook_endpoints", body)).body as { id: string }).id);
    }
    const { id } = await createPayout(ownApi, "Vendor");
    await ownApi.post(`/payout_intents/${id}/cancel`, {});
    await expect(async () => expect(receiver.received).toHaveLength(3)).toPass({ timeout: 60_000 });
    await patch(ownApi, `/webhook_endpoints/${endpoints[1]}`, { state: "paused" });
    await remove(ownApi, `/webhook_endpoints/${endpoints[2]}`);

    await openAs("developer", `/test/payouts/${id}`);
    await page.getByRole("main").getByRole("link", { name: /^evt_/ }).click();
    await expect(page).toHaveURL(/\/test\/webhooks\/events\/evt_/);
    await expect(page.getByRole("heading", { level: 1, name: "payout_intent.cancelled" })).toBeVisible();
    await expect(page.getByText(`"payout_intent_id": "${id}"`)).toBeVisible();
    for (const name of [`${receiver.url}/first`, `${receiver.url}/second`, "A deleted endpoint"]) {
      await expect(page.locator("summary", { hasText: name })).toBeVisible();
    }
    await page.getByLabel("Select all on this page").check();
    await page.getByRole("button", { name: "Resend 3 selected…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Resend 3 deliveries" }).click();
    await expect(dialog.getByRole("heading", { name: "1 of 3 being sent again" })).toBeVisible();
    await expect(dialog.getByText("Being sent again", { exact: true })).toBeVisible();
    await expect(dialog.getByText("Waits until the endpoint is enabled")).toBeVisible();
    await expect(dialog.getByText("Not sent: its endpoint has been deleted")).toBeVisible();
    await expectAccessible(page, 1);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await expect(page.getByText("Select up to 50 to resend")).toBeVisible();
    await expect(async () => expect(receiver.received).toHaveLength(4)).toPass({ timeout: 60_000 });
    expect(receiver.received[3]?.path).toBe("/first");

    await page.locator("summary", { hasText: `${receiver.url}/first` }).click();
    await expect(page.locator("details[open]").getByText(/^Attempt 1: HTTP 200/)).toBeVisible();
    await expectAccessible(page, 2);
    await expectFits(page);
    await page.getByRole("link", { name: id }).first().click();
    await expect(page).toHaveURL(`/test/payouts/${id}`);
    await page.goto(`/test/webhooks/events?intent_id=${id}`);
    await expect(page.getByRole("row")).toHaveCount(2);
    await page.getByLabel("Type").selectOption("payment_intent.failed");
    await expect(page.getByText("No events match")).toBeVisible();
  } finally {
    await receiver.stop();
  }
});

test("an approver sees the event's id, without a link to a page of integrators", async ({ page, ownApi, openAs }) => {
  const { id } = await createPayout(ownApi, "Vendor");
  await ownApi.post(`/payout_intents/${id}/cancel`, {});
  await openAs("approver", `/test/payouts/${id}`);
  await expect(page.getByRole("main").getByText(/^evt_/)).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: /^evt_/ })).toHaveCount(0);
});

test("an endpoint is edited: a rejected change stays in the dialog, a saved one applies on the page and over REST", async ({
  page,
  ownApi,
  openAs,
}) => {
  const made = { url: "http://127.0.0.1:9/hooks", description: "Shop" };
  const { id } = (await ownApi.post("/webhook_endpoints", made)).body as { id: string };
  await openAs("developer", `/test/webhooks/endpoints/${id}`);
  await page.getByRole("button", { name: "Edit…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("URL")).toHaveValue(made.url);
  await dialog.getByLabel("Description").fill("Warehouse");
  await dialog.getByLabel("payout_intent.failed").uncheck();
  await dialog.getByLabel("URL").fill("https://10.0.0.1/hooks");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("public addresses only");
  expect((await ownApi.get(`/webhook_endpoints/${id}`)).body).toMatchObject({ ...made, event_types: null });
  await dialog.getByLabel("URL").fill("http://127.0.0.1:9/elsewhere");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("http://127.0.0.1:9/elsewhere");
  await expect(page.getByText("Warehouse")).toBeVisible();
  const { body } = await ownApi.get(`/webhook_endpoints/${id}`);
  expect(body).toMatchObject({ url: "http://127.0.0.1:9/elsewhere", description: "Warehouse" });
  const { event_types: types } = body as { event_types: string[] };
  expect(types).toHaveLength(5);
  expect(types).not.toContain("payout_intent.failed");
});

test("a disallowed address is rejected in the dialog, and the typed text stays", async ({ page, openAs }) => {
  await openAs("developer", "/live/webhooks/endpoints");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill("https://10.0.0.1/hooks");
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  await expect(dialog.getByRole("alert")).toContainText("public addresses only");
  await expect(dialog.getByLabel("URL")).toHaveValue("https://10.0.0.1/hooks");
});

test("a developer reads an event's message, schema and verification, and has this one sent to an endpoint", async ({
  page,
  ownApi,
  openAs,
}) => {
  const receiver = await startReceiver();
  try {
    await createEndpoint(ownApi, "http://127.0.0.1:9/closed");
    await createEndpoint(ownApi, `${receiver.url}/hooks`);
    await openAs("developer", "/test/webhooks");
    await page.getByRole("button", { name: "payout_intent.cancelled" }).click();
    await expect(page).toHaveURL("/test/webhooks?event=payout_intent.cancelled");
    await expect(page.getByText("webhook-signature: v1,")).toBeVisible();
    await expect(page.locator("mark")).toContainText('"payout_intent_id"');
    await page.getByRole("button", { name: "Schema" }).click();
    await expect(page.getByText('"additionalProperties": false')).toBeVisible();
    await expectAccessible(page, 0);
    await page.getByRole("button", { name: "Verify" }).click();
    await expect(page.getByText('import { Webhook } from "standardwebhooks"')).toBeVisible();
    await page.getByRole("button", { name: "Python" }).click();
    await expect(page.getByText("from standardwebhooks.webhooks import Webhook")).toBeVisible();
    await page.getByRole("button", { name: "Go", exact: true }).click();
    await expect(page.getByText("func verify(secret string")).toBeVisible();
    await expectFits(page);

    await page.getByLabel("Endpoint", { exact: true }).selectOption({ label: `${receiver.url}/hooks` });
    await page.getByRole("button", { name: "Send me this one" }).click();
    await expect(page.getByText("The test event was accepted: HTTP 200")).toBeVisible();
    const [got] = receiver.received;
    expect(got?.headers["webhook-test"]).toBe("true");
    expect(JSON.parse(got?.body ?? "{}")).toMatchObject({ type: "payout_intent.cancelled", environment: "test" });
    await page.getByLabel("Endpoint", { exact: true }).selectOption({ label: "http://127.0.0.1:9/closed" });
    await page.getByRole("button", { name: "Send me this one" }).click();
    await expect(page.getByText(/^The test event was not accepted: /)).toBeVisible();
  } finally {
    await receiver.stop();
  }
});

test("finance sees the catalogue, but neither the endpoints nor a link to them", async ({ page, openAs }) => {
  await openAs("finance", "/test/webhooks");
  await expect(page.getByRole("heading", { level: 1, name: "Webhook events" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Endpoints" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Send me this one" })).toHaveCount(0);
  expect((await page.goto("/test/webhooks/endpoints"))?.status()).toBe(404);
});
