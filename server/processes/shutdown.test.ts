// Tests what a process logs when a signal ends it.
import { spawn } from "node:child_process";
import { expect, it } from "vitest";

const SCRIPT = `
  import { Shutdown } from "@/server/processes/shutdown";
  const shutdown = new Shutdown();
  shutdown.endOnSignals();
  setInterval(() => undefined, 1_000);
  process.stdout.write("ready");
`;

it("logs which signal ended it, once, and that it has ended", { timeout: 60_000 }, async () => {
  const words = ["--import", "tsx", "--input-type=module", "--eval", SCRIPT];
  const child = spawn(process.execPath, words, { env: { ...process.env, LOG_LEVEL: "info" } });
  let logged = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    logged += text;
  });
  child.stdout.once("data", () => {
    child.kill("SIGTERM");
    child.kill("SIGTERM");
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  const lines = logged.trim().split("\n");
  expect([code, lines]).toEqual([0, [expect.stringContaining('"msg":"the process ends"'), expect.any(String)]]);
  expect(lines[0]).toContain('"reason":"SIGTERM"');
  expect(lines[1]).toContain('"msg":"the process has ended"');
});
