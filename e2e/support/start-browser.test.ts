import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { browserLaunch } from "./browser";
import { startBrowser } from "./start-browser";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-browser-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Chromium behind a script that dies by a segmentation fault in its first starts. */
async function dyingBrowser(deaths: number) {
  const options = await browserLaunch();
  const [script, starts] = [join(folder, "browser"), join(folder, "starts")];
  const browser = options.executablePath ?? chromium.executablePath();
  writeFileSync(starts, "");
  const die = `[ $(wc -l < '${starts}') -gt ${deaths} ] || kill -SEGV $$`;
  writeFileSync(script, `#!/bin/sh\necho start >> '${starts}'\n${die}\nexec '${browser}' "$@"\n`);
  chmodSync(script, 0o700);
  return {
    launch: () => chromium.launch({ ...options, executablePath: script }),
    starts: () => readFileSync(starts, "utf8").split("\n").length - 1,
  };
}

describe("a browser", () => {
  test("that dies while it starts is started again", async () => {
    const dying = await dyingBrowser(2);
    const browser = await startBrowser(dying.launch);
    expect([dying.starts(), browser.isConnected()]).toEqual([3, true]);
    await browser.close();
  });

  test("that dies three times is not", async () => {
    const dying = await dyingBrowser(3);
    await expect(startBrowser(dying.launch)).rejects.toThrow("SIGSEGV");
    expect(dying.starts()).toBe(3);
  });

  test("that cannot be started is tried once", async () => {
    let starts = 0;
    const launch = () => {
      starts += 1;
      return chromium.launch({ executablePath: join(folder, "none") });
    };
    await expect(startBrowser(launch)).rejects.toThrow("executable doesn't exist");
    expect(starts).toBe(1);
  });
});
