// The script size of the payouts page, which approvers open all day, and of the pages that create payouts
// or show providers.
import { gzipSync } from "node:zlib";
import { expect, test } from "./fixtures";
import { untilLive } from "./members";

const BUDGET_BYTES = 200 * 1024;

for (const path of ["payouts", "payouts/recipients", "payouts/upload", "providers"]) {
  test(`the first load of /${path} takes at most 200 KB of script, gzipped, all of it our own`, async ({
    page: first,
    service,
    openAs,
  }) => {
    await openAs("approver,finance", "/test/webhooks");
    // A new page, so that what the previous one still loads is not counted.
    const page = await first.context().newPage();
    await first.close();
    const scripts = new Map<string, Promise<Buffer>>();
    page.on("response", (response) => {
      if (response.request().resourceType() === "script") scripts.set(response.url(), response.body());
    });
    await page.goto(`/test/${path}`);
    await untilLive(page);
    expect(scripts.size).toBeGreaterThan(0);
    for (const url of scripts.keys()) expect(url.startsWith(service.baseUrl)).toBe(true);
    const bodies = await Promise.all(scripts.values());
    expect(bodies.reduce((sum, body) => sum + gzipSync(body).byteLength, 0)).toBeLessThanOrEqual(BUDGET_BYTES);
  });
}
