// Checks that a page fits its window, from a phone to a wide screen.
import { expect, type Page } from "@playwright/test";

/** Of the windows that every page must fit. */
export const WIDTHS_PX = [360, 768, 1024, 1280, 1440, 1920];
/** A dialog is as wide in all larger windows as in the second one. */
export const DIALOG_WIDTHS_PX = WIDTHS_PX.slice(0, 2);

/** Fails if the page or an open dialog scrolls sideways at a width, or if a table is wider than its frame. */
export async function expectFits(page: Page, widthsPx = WIDTHS_PX): Promise<void> {
  const before = page.viewportSize();
  for (const width of widthsPx) {
    await page.setViewportSize({ width, height: 900 });
    // What a page still loads while the window changes may be wide for a moment.
    const tooWide = () =>
      page.evaluate(async () => {
        await document.fonts.ready;
        const root = document.documentElement;
        const tables = [...document.querySelectorAll("main table")].filter((table) => {
          const frame = table.parentElement;
          return frame !== null && table.getBoundingClientRect().right > frame.getBoundingClientRect().right + 1;
        });
        const names = tables.map((table) => table.querySelector("caption")?.textContent ?? "a table");
        const scrolling = [root, ...document.querySelectorAll("dialog[open]")].filter(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
        );
        return [...scrolling.map(({ localName }) => localName), ...names];
      });
    await expect.poll(tooWide, `wider than its place, in a window of ${width} px`).toEqual([]);
  }
  if (before) await page.setViewportSize(before);
}
