// Checks a page against the rules of WCAG 2.2 AA, in both themes.
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/**
 * Fails with every rule that the page breaks, light or dark, at its current width. Also fails if it scrolls sideways.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    // Without motion, colors change at once, so the final ones are measured.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // A page that refreshes itself has no title for a moment; only its final state counts.
    await expect.poll(() => violationsOf(page), { message: colorScheme }).toEqual([]);
  }
  const tooWide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(tooWide).toBe(0);
}

/** The same on a phone of 360 px. */
export async function expectAccessibleOnPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
}
