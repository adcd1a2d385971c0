// How specs run: over HTTP against one production service, against next start, and in a real browser for the dashboard.
import { defineConfig, devices } from "@playwright/test";
import { browserLaunch } from "./support/browser";
import type { HostOptions } from "./support/fixtures";
import { CONTRACT } from "./support/recorded-answers";

export default defineConfig<object, HostOptions>({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "./support/shared-service.ts",
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  workers: 2,
  // Limits for what hangs, not for what is slow: a correct spec must not fail on a busy machine.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: { trace: "retain-on-failure" },
  projects: [
    { name: "rest", testMatch: ["rest/**/*.spec.ts", "faults/**/*.spec.ts", "deployment/**/*.spec.ts"] },
    { name: "next-start", testMatch: CONTRACT, use: { host: "next" }, dependencies: ["rest"] },
    { name: "model", testMatch: "model/**/*.spec.ts" },
    {
      name: "dashboard",
      testMatch: ["dashboard/**/*.spec.ts", "documents/**/*.spec.ts"],
      use: { ...devices["Desktop Chrome"], launchOptions: await browserLaunch() },
    },
  ],
});
