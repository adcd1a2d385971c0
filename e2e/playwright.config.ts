// Owns how specs are run: over HTTP against one production service, and in a real browser for the dashboard.
import { defineConfig, devices } from "@playwright/test";
import { browserLaunch } from "./support/browser";

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "./support/shared-service.ts",
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  workers: 2,
  // Bounds for what hangs, not for what is slow: a busy machine must not fail a spec that is right.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: { trace: "retain-on-failure" },
  projects: [
    { name: "rest", testMatch: ["rest/**/*.spec.ts", "faults/**/*.spec.ts"] },
    {
      name: "dashboard",
      testMatch: "dashboard/**/*.spec.ts",
      use: { ...devices["Desktop Chrome"], launchOptions: await browserLaunch() },
    },
  ],
});
