// The README's first steps and the quickstart, exactly as they are written.
import { test } from "@playwright/test";
import { readSteps } from "./steps";
import { walk } from "./walk";

/** Each starts a service of its own. */
const WITHIN_MS = 600_000;
const FIRST_WEBHOOK = "verified payment_intent.succeeded";

test("the commands under `Run it` of README.md do what it says", async ({ page }) => {
  test.setTimeout(WITHIN_MS);
  await walk(readSteps("README.md", "Run it"), page);
});

test("the commands of docs/quickstart.md do what it says, to a verified webhook and beyond", async ({ page }) => {
  test.setTimeout(WITHIN_MS);
  const begun = performance.now();
  await walk(readSteps("docs/quickstart.md"), page, (shown) => {
    if (shown !== FIRST_WEBHOOK) return;
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    process.stdout.write(`from npm start to the first verified webhook: ${seconds} s\n`);
  });
});
