// A browser that dies while it starts is started again: one in some thousand starts of Chromium ends with a segmentation
// fault, before a spec has begun.
import { type Browser, chromium } from "@playwright/test";
import { browserLaunch } from "./browser";

const STARTS = 3;

/** What Playwright says if the process has ended before it answered. */
const DIED = /has been closed/;

/**
 * Starts a browser.
 * @param launch starts one; without it, Chromium as the dashboard specs use it
 * @throws Error if three in a row die while they start, or at once for any other reason
 */
export async function startBrowser(
  launch: () => Promise<Browser> = async () => chromium.launch(await browserLaunch()),
): Promise<Browser> {
  for (let start = 1; ; start += 1)
    try {
      return await launch();
    } catch (error) {
      if (start === STARTS || !DIED.test(String(error))) throw error;
      process.stderr.write(`start ${start} of the browser failed: ${String(error).split("\n")[0]}\n`);
    }
}
