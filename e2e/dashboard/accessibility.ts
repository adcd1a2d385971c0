// Checks what a page shows against the rules of WCAG 2.2 AA, in a theme and at a width.
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { tier } from "../support/tier";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const WIDTHS = { wide: { width: 1280, height: 720 }, phone: { width: 360, height: 740 } } as const;
type Width = keyof typeof WIDTHS;

interface Setup {
  readonly theme: "light" | "dark";
  readonly width: Width;
}

/** Every setup. Two neighbors differ in both, so a check at one width still alternates the themes. */
const SETUPS: readonly Setup[] = [
  { theme: "light", width: "wide" },
  { theme: "dark", width: "phone" },
  { theme: "dark", width: "wide" },
  { theme: "light", width: "phone" },
];

/** The setups of the check at this place: one of them, in rotation, or all in a deep run. */
function setupsAt(place: number, width: Width | undefined): readonly Setup[] {
  const possible = SETUPS.filter((setup) => width === undefined || setup.width === width);
  return tier === "deep" ? possible : possible.filter((_, index) => index === place % possible.length);
}

async function violationsOf(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).withTags(RULES);
  // Our pages have no frames. Without this mode, every run opens one more page to join the results of frames.
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

async function expectNoViolations(page: Page, { theme, width }: Setup): Promise<void> {
  await page.setViewportSize(WIDTHS[width]);
  // Without motion, colors change at once, so the final ones are measured.
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  // A page that refreshes itself has no title for a moment; only its final state counts.
  await expect.poll(() => violationsOf(page), { message: `${theme}, ${width}` }).toEqual([]);
  const tooWide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(tooWide, `sideways scroll: ${theme}, ${width}`).toBe(0);
}

/**
 * Fails with every rule that the page breaks, and if it scrolls sideways. The setups of theme and width rotate over the
 * checks of a file: `place` numbers the check among them. A deep run plays all setups of every check. `width` is the
 * only width at which the page can show what is checked.
 */
export async function expectAccessible(page: Page, place: number, width?: Width): Promise<void> {
  const before = page.viewportSize();
  for (const setup of setupsAt(place, width)) await expectNoViolations(page, setup);
  if (before) await page.setViewportSize(before);
}
