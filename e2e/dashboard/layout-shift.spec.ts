// Nothing moves while a page loads: every page, on a phone and wide, from its first answer until all data is shown, also
// if the answers of its calls come late.
import { tier } from "../support/tier";
import { test } from "./filled";
import { expectSteady } from "./layout-shift";
import { requestSession } from "./members";
import { PAGE_NAMES, PAGES } from "./pages";

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
