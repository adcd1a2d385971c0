// Measures how far the contents of a page move without the reader's doing: https://web.dev/articles/cls.
import { expect, type Page, type Route } from "@playwright/test";
import { untilLive } from "./members";

/** web.dev calls 0.1 good. We allow a fifth of it, and count all shifts of a page, not only those of the worst 5 s. */
const MOST_SHIFT = 0.02;

interface Shift {
  readonly value: number;
  /** What moved, and by how much. */
  readonly moved: readonly string[];
}

/** Records the shifts of every document that the page opens from now on. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: unknown[] = [];
    Object.assign(globalThis, { sluiceShifts: shifts });
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
          readonly value: number;
          readonly hadRecentInput: boolean;
          readonly sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
        };
        if (hadRecentInput) continue;
        const moved = sources.map(({ node, previousRect: before, currentRect: after }) => {
          const what = node instanceof Element ? node.outerHTML.slice(0, 120) : (node?.textContent ?? "what is gone");
          const place = (rect: DOMRect) => [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(" ");
          return `${what}: ${place(before)} → ${place(after)}`;
        });
        shifts.push({ value, moved });
      }
    });
    observer.observe({ type: "layout-shift", buffered: true });
  });
}

/** Holds the answers of the page's calls back. The stream of changes is never answered in full, so it is let through. */
async function holdCalls(page: Page): Promise<() => Promise<void>> {
  let isHeld = true;
  const held: Route[] = [];
  await page.route(/\/api\/trpc\/(?!changes\.stream)/, (route) => {
    if (isHeld) held.push(route);
    else return route.fallback();
  });
  return async () => {
    isHeld = false;
    await Promise.all(held.map((route) => route.fallback()));
  };
}

/**
 * Opens the page with its calls held back until it is live, and fails if anything moved until all data is shown. Returns
 * the procedures that it called for its content: those in the background, for news, are not among them.
 */
export async function expectSteady(page: Page, path: string): Promise<string[]> {
  await recordShifts(page);
  const open = new Set<string>();
  const asked: string[] = [];
  page.on("request", (request) => {
    const procedures = /\/api\/trpc\/(?!changes\.stream)([^?]+)/.exec(request.url())?.[1];
    if (procedures === undefined) return;
    open.add(request.url());
    if (request.headers()["x-sluice-background"] === undefined) asked.push(procedures);
  });
  page.on("requestfinished", (request) => open.delete(request.url()));
  page.on("requestfailed", (request) => open.delete(request.url()));
  const release = await holdCalls(page);
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await untilLive(page);
  await painted(page);
  await release();
  await expect.poll(() => open.size, "calls without an answer").toBe(0);
  await expect(page.locator("main .animate-pulse")).toHaveCount(0);
  await painted(page);
  const shifts = await page.evaluate(() => (globalThis as unknown as { sluiceShifts: Shift[] }).sluiceShifts);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(
    sum,
    shifts.map(({ value, moved }) => `${value.toFixed(4)}\n  ${moved.join("\n  ")}`).join("\n"),
  ).toBeLessThanOrEqual(MOST_SHIFT);
  return asked;
}

/** Waits until what is there has been drawn, and its shifts have been reported. */
async function painted(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}
