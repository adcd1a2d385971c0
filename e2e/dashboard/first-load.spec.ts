// Owns the spec of how much script the page that approvers open all day takes.
import { gzipSync } from "node:zlib";
import { expect, test } from "../support/fixtures";
import { createMember, signInTo, untilLive } from "./members";

const BUDGET_BYTES = 200 * 1024;

test("the first load of the payouts page takes at most 200 KB of script, gzipped, all of it our own", async ({
  page: first,
  service,
  merchant,
}) => {
  await signInTo(first, await createMember(service, merchant), "/test/webhooks");
  // A page of its own: what the one before still loads is not counted.
  const page = await first.context().newPage();
  await first.close();
  const scripts = new Map<string, Promise<Buffer>>();
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.set(response.url(), response.body());
  });
  await page.goto("/test/payouts");
  await untilLive(page);
  expect(scripts.size).toBeGreaterThan(0);
  for (const url of scripts.keys()) expect(url.startsWith(service.baseUrl)).toBe(true);
  const bodies = await Promise.all(scripts.values());
  expect(bodies.reduce((sum, body) => sum + gzipSync(body).byteLength, 0)).toBeLessThanOrEqual(BUDGET_BYTES);
});
