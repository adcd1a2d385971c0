// The first answer of a page has its content: no call must follow, and nothing moves until all data is shown, also if the
// answers of calls come late. Every page, on a phone and wide.
import type { BrowserContext } from "@playwright/test";
import { createApi } from "../support/api";
import { createMerchant } from "../support/merchant";
import { tier } from "../support/tier";
import { test as base, expect } from "./fixtures";
import { expectSteady } from "./layout-shift";
import { createMember, type Person, requestSession } from "./members";
import { type FilledIds, fillPages, PAGE_NAMES, PAGES, type PageName } from "./pages";

interface Filled {
  readonly ids: FilledIds;
  readonly owner: Person;
  /** What the page for signing in, from which everybody comes, leaves in a browser: its time zone. */
  readonly cookies: Awaited<ReturnType<BrowserContext["cookies"]>>;
}

/** `filled` is a merchant of the worker, with content on every page. No test changes what a page shows. */
const test = base.extend<object, { filled: Filled }>({
  filled: [
    async ({ service, validateAnswer, browser }, use) => {
      const merchant = await createMerchant(service);
      const owner = await createMember(service, merchant, "owner");
      // The overview tells the owner of it.
      await createMember(service, merchant, "developer");
      const ids = await fillPages(createApi(service.baseUrl, merchant.keys.test, validateAnswer));
      const context = await browser.newContext({ baseURL: service.baseUrl });
      const page = await context.newPage();
      await page.goto("/sign-in");
      await expect.poll(async () => (await context.cookies()).map(({ name }) => name)).toContain("sluice.zone");
      await use({ owner, ids, cookies: await context.cookies() });
      await context.close();
    },
    { scope: "worker" },
  ],
});

/** The procedures that a page calls for more, below what it shows at first. */
const CALLED_LATER: Partial<Record<PageName, readonly string[]>> = {
  // Of a year, the totals take long.
  "wallet-period": ["wallets.statementSummary"],
  // The browser repeats what was refused, and shows why.
  "refused-filter": ["payoutIntents.list"],
};

const WIDTHS = [360, 1440];

for (const [place, name] of PAGE_NAMES.entries()) {
  const widths = tier === "deep" ? WIDTHS : WIDTHS.filter((_, index) => index === place % WIDTHS.length);
  for (const width of widths) {
    test(`the page "${name}" comes with its content, and nothing moves while it loads in a window of ${width} px`, async ({
      page,
      filled,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.context().addCookies(filled.cookies);
      await requestSession(page.request, filled.owner);
      const called = await expectSteady(page, PAGES[name](filled.ids));
      expect(called).toEqual(CALLED_LATER[name] ?? []);
    });
  }
}
