// Nothing moves while a page loads: every page, on a phone and wide, from its first answer until all data is shown, also
// if the answers of its calls come late.
import { createApi } from "../support/api";
import { createMerchant } from "../support/merchant";
import { tier } from "../support/tier";
import { test as base } from "./fixtures";
import { expectSteady } from "./layout-shift";
import { createMember, type Person, requestSession } from "./members";
import { type FilledIds, fillPages, PAGE_NAMES, PAGES } from "./pages";

interface Filled {
  readonly ids: FilledIds;
  readonly owner: Person;
}

/** `filled` is a merchant of the worker, with content on every page. No test changes what a page shows. */
const test = base.extend<object, { filled: Filled }>({
  filled: [
    async ({ service, validateAnswer }, use) => {
      const merchant = await createMerchant(service);
      const owner = await createMember(service, merchant, "owner");
      const ids = await fillPages(createApi(service.baseUrl, merchant.keys.test, validateAnswer));
      await use({ owner, ids });
    },
    { scope: "worker" },
  ],
});

const WIDTHS = [360, 1440];

for (const [place, name] of PAGE_NAMES.entries()) {
  const widths = tier === "deep" ? WIDTHS : WIDTHS.filter((_, index) => index === place % WIDTHS.length);
  for (const width of widths) {
    test(`nothing moves while the page "${name}" loads in a window of ${width} px`, async ({ page, filled }) => {
      await page.setViewportSize({ width, height: 900 });
      await requestSession(page.request, filled.owner);
      await expectSteady(page, PAGES[name](filled.ids));
    });
  }
}
