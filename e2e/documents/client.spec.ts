// The typed client as its users get it: packed, installed from the tarball without a registry, compiled and run with the
// program of docs/client.md.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEndpoint } from "../rest/webhook-calls";
import { expect, test } from "../support/fixtures";
import { installClient, runIn } from "../support/packed-client";
import { freePort } from "../support/service";
import { PROJECT_ROOT, serviceVariables } from "../support/service-process";
import { codeOf } from "./steps";

const SETTINGS = {
  compilerOptions: {
    target: "ES2022",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ["node"],
    typeRoots: [join(PROJECT_ROOT, "node_modules/@types")],
  },
};

test("the program of docs/client.md compiles and runs with the packed client", async ({
  apiFor,
  ownMerchant,
  service,
}) => {
  test.setTimeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), "sluice-client-user-"));
  try {
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(SETTINGS));
    writeFileSync(join(folder, "program.ts"), codeOf("docs/client.md", "ts"));
    await installClient(folder);
    expect((await runIn(folder, "npm", "ls", "--all", "--parseable")).trim().split("\n")).toHaveLength(2);
    await runIn(folder, process.execPath, join(PROJECT_ROOT, "node_modules/typescript/bin/tsc"));

    const key = ownMerchant.keys.test;
    const port = await freePort();
    const { secret } = await createEndpoint(apiFor(key), `http://127.0.0.1:${port}/hooks`);
    const program = spawn(process.execPath, ["program.js"], {
      cwd: folder,
      env: {
        ...serviceVariables({}),
        SLUICE_BASE_URL: service.baseUrl,
        SLUICE_PUBLIC_KEY: key.publicKey,
        SLUICE_SECRET_KEY: key.secretKey,
        SLUICE_WEBHOOK_SECRET: secret,
        PORT: String(port),
      },
    });
    let output = "";
    for (const stream of [program.stdout, program.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    try {
      await expect.poll(() => output, { timeout: 120_000 }).toMatch(/^404 not_found req_\w+$/m);
      const [, id] = /^(dord_\w+) 1050n BRL$/m.exec(output) ?? [];
      expect(output).toMatch(/^succeeded 1050n$/m);
      // It is delivered at once, or after the pause of a retry.
      await expect.poll(() => output, { timeout: 120_000 }).toContain(`paid ${id}\n`);
    } finally {
      program.kill("SIGKILL");
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
