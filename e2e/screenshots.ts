// `npm run screenshots`: an image of every page of the dashboard, in both themes and at every width.
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMember, signInTo } from "./dashboard/members";
import { fillPages, PAGE_NAMES, PAGES } from "./dashboard/pages";
import { WIDTHS_PX } from "./dashboard/widths";
import { createApi, fetchValidator } from "./support/api";
import { createMerchant } from "./support/merchant";
import { startService } from "./support/service";
import { startBrowser } from "./support/start-browser";

const FOLDER = process.argv[2] ?? join(tmpdir(), "sluice-screenshots");

mkdirSync(FOLDER, { recursive: true });
const service = await startService();
const browser = await startBrowser();
try {
  const merchant = await createMerchant(service, { name: "Mercado Azul" });
  const api = createApi(service.baseUrl, merchant.keys.test, await fetchValidator(service.baseUrl));
  const owner = await createMember(service, merchant, "owner");
  const ids = await fillPages(api);
  const pages = PAGE_NAMES.map((name) => ({ name, path: PAGES[name](ids) }));
  const page = await (await browser.newContext({ baseURL: service.baseUrl })).newPage();
  // An open stream would prevent the network from becoming idle.
  await page.route("**/api/trpc/changes.stream*", (route) => route.abort());
  await signInTo(page, owner, "/test/payouts");
  for (const { name, path } of [...pages, { name: "front", path: "/" }]) {
    for (const width of WIDTHS_PX) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path, { waitUntil: "networkidle" });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const file = join(FOLDER, `${name}-${width}-${colorScheme}.png`);
        await page.screenshot({ path: file, fullPage: true, animations: "disabled" });
      }
    }
  }
  process.stdout.write(`${FOLDER}\n`);
} finally {
  await browser.close();
  await service.dispose();
}
