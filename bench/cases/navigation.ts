// Navigation in the dashboard, in a real browser: from a click on a link to the page with all of its data.

import type { BrowserContext, Page } from "@playwright/test";
import { createMember, requestSession, untilLive } from "@/e2e/dashboard/members";
import { createMerchant } from "@/e2e/support/merchant";
import { startBrowser } from "@/e2e/support/start-browser";
import { median } from "@/e2e/support/statistics";
import type { Bench, Section } from "../bench";
import { FIRST_VISIT, NAVIGATION } from "../names";

const ROWS = 2_000;
/** The first one loads the scripts of a page. */
const VISITS = 6;
const GIVE_UP_MS = 30_000;

/** Counts the calls for data that are open, but for the stream of changes, which stays open. */
const COUNT_CALLS = `
  window.openCalls = 0;
  const send = window.fetch;
  window.fetch = async (...given) => {
    const counts = /\\/api\\/trpc\\/(?!changes\\.stream)/.test(String(given[0]?.url ?? given[0]));
    if (counts) window.openCalls += 1;
    try {
      const answer = await send(...given);
      if (counts) await answer.clone().text();
      return answer;
    } finally {
      if (counts) window.openCalls -= 1;
    }
  };`;

/** Clicks the link and returns the ms until its page is shown, nothing is loading, and that stays so for a moment. */
function visit(page: Page, href: string): Promise<number> {
  // Without named functions, which tsx compiles into calls to a helper that pages do not have.
  return page.evaluate(
    ([target, giveUpMs]) =>
      new Promise<number>((resolve, reject) => {
        const link = document.querySelector(`nav a[href="${target}"]`) as HTMLElement | null;
        const from = performance.now();
        let complete = 0;
        let looks = 0;
        const timer = setInterval(() => {
          const { openCalls } = window as unknown as { readonly openCalls: number };
          const isComplete =
            location.pathname === target &&
            openCalls === 0 &&
            document.querySelector("main h1") !== null &&
            document.querySelector("main .animate-pulse") === null;
          if (!isComplete) looks = 0;
          else if (looks === 0) complete = performance.now();
          if (isComplete) looks += 1;
          if (looks < 10 && performance.now() - from < giveUpMs) return;
          clearInterval(timer);
          if (looks < 10) reject(new Error(`the page ${target} was not complete in time`));
          else resolve(complete - from);
        }, 4);
        link?.click();
      }),
    [href, GIVE_UP_MS] as const,
  );
}

async function openDashboard({ stage }: Bench, context: BrowserContext): Promise<Page> {
  const merchant = await createMerchant(stage.service, { name: "Bench dashboard" });
  const member = await createMember(stage.service, merchant, "owner");
  await stage.seed({ id: merchant.id, authorization: "" }, ROWS);
  const page = await context.newPage();
  await page.addInitScript(COUNT_CALLS);
  const signedIn = await requestSession(page.request, member);
  if (!signedIn.ok()) throw new Error(`the sign-in was answered ${signedIn.status()}`);
  await page.goto("/test");
  await untilLive(page);
  return page;
}

async function measureNavigation(bench: Bench): Promise<void> {
  const browser = await startBrowser();
  try {
    const viewport = { width: 1_440, height: 900 };
    const page = await openDashboard(
      bench,
      await browser.newContext({ baseURL: bench.stage.service.baseUrl, viewport }),
    );
    const links = page.locator('nav[aria-label="Dashboard"] a');
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    if (hrefs.length < 2) throw new Error("the dashboard shows no navigation");
    const times = new Map<string, number[]>(hrefs.map((href) => [href, []]));
    for (let n = 0; n < VISITS; n += 1)
      // The overview is open at first, so it is visited last.
      for (const href of [...hrefs.slice(1), ...hrefs.slice(0, 1)]) times.get(href)?.push(await visit(page, href));
    const slowest = (value: (visits: readonly number[]) => number) => {
      const all = [...times].map(([href, visits]) => ({ href, ms: value(visits) }));
      return all.reduce((worst, one) => (one.ms > worst.ms ? one : worst));
    };
    const first = slowest(([ms = 0]) => ms);
    const later = slowest((visits) => median(visits.slice(1)));
    const typical = median([...times.values()].map((visits) => median(visits.slice(1))));
    const of = `${hrefs.length} pages`;
    bench.note({ name: FIRST_VISIT, value: first.ms, unit: "ms", note: `${first.href}, the slowest of ${of}` });
    const about = `${later.href}, the slowest of ${of}; the median page took ${typical.toFixed(0)} ms`;
    bench.note({ name: NAVIGATION, value: later.ms, unit: "ms", note: about });
  } finally {
    await browser.close();
  }
}

export const navigationSection: Section = { name: "navigation", run: measureNavigation };
