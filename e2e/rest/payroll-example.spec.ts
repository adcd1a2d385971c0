// The example payroll as its readers run it: killed halfway, run again, approved by a person, and run once more.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@/server/contract/lists";
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import { borrowPackages } from "../support/borrowed-packages";
import { installClient } from "../support/packed-client";
import { PROJECT_ROOT, serviceVariables } from "../support/service-process";
import { bodyOf } from "./calls";
import { expect, test } from "./parties";

const EMPLOYEES = 12;

/** Copies the script and gives it its packages: the client from its tarball, the rest from this project. */
async function makePayroll(): Promise<string> {
  mkdirSync(join(PROJECT_ROOT, ".data"), { recursive: true });
  const folder = mkdtempSync(join(PROJECT_ROOT, ".data/example-payroll-"));
  cpSync(join(PROJECT_ROOT, "client/examples/payroll"), folder, { recursive: true });
  const packages = mkdtempSync(join(tmpdir(), "sluice-payroll-client-"));
  try {
    await installClient(packages);
    cpSync(join(packages, "node_modules/@sluice"), join(folder, "node_modules/@sluice"), { recursive: true });
    borrowPackages(folder, ["csv-parse"]);
  } finally {
    rmSync(packages, { recursive: true, force: true });
  }
  return folder;
}

/** The amount of the first one is declined by the test provider. */
function csv(changes: Readonly<Record<string, string>> = {}): string {
  const rows = Array.from({ length: EMPLOYEES }, (_, n) => {
    const employee = `E${String(n + 1).padStart(3, "0")}`;
    const amount = changes[employee] ?? `${5_000 + n}.${n === 0 ? "01" : "50"}`;
    return `${employee},"Souza, Ana ${n}",341,0001-12345${n},${amount}`;
  });
  return ["employee,holder_name,bank_code,account_number,amount", ...rows].join("\n");
}

test("the example payroll pays everybody once, whenever it is killed and however often it runs", async ({
  api,
  approve,
  ownMerchant,
  service,
}) => {
  test.setTimeout(600_000);
  const folder = await makePayroll();
  const children: ChildProcess[] = [];
  const start = (file: string, wait: number) => {
    const child = spawn(process.execPath, ["payroll.js", "2026-11", file, "--wait", String(wait)], {
      cwd: folder,
      env: {
        ...serviceVariables({}),
        SLUICE_BASE_URL: service.baseUrl,
        SLUICE_PUBLIC_KEY: ownMerchant.keys.test.publicKey,
        SLUICE_SECRET_KEY: ownMerchant.keys.test.secretKey,
      },
    });
    children.push(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    const ended = new Promise<{ status: number | null; output: string }>((resolve) =>
      child.once("close", (status) => resolve({ status, output })),
    );
    return { child, ended, printed: () => output };
  };
  const payouts = async () => bodyOf<Page<PayoutIntentResource>>(await api.get("/payout_intents?limit=100"), 200).data;
  try {
    writeFileSync(join(folder, "wrong.csv"), csv({ E002: "5000", E003: "0.00" }));
    const wrong = await start("wrong.csv", 0).ended;
    expect(wrong).toMatchObject({
      status: 2,
      output: expect.stringMatching(/line 3: amount .*\nline 4: amount is zero/),
    });
    writeFileSync(join(folder, "large.csv"), csv({ E002: "999999999.00" }));
    expect(await start("large.csv", 0).ended).toMatchObject({
      status: 2,
      output: expect.stringContaining("are needed"),
    });
    expect(await payouts()).toEqual([]);

    writeFileSync(join(folder, "salaries.csv"), csv());
    const killed = start("salaries.csv", 600);
    await expect.poll(killed.printed).toContain("E002");
    killed.child.kill("SIGKILL");
    await killed.ended;
    const again = await start("salaries.csv", 0).ended;
    expect(again.status, again.output).toBe(3);
    const created = await payouts();
    expect(created.map(({ merchant_reference }) => merchant_reference).toSorted()).toEqual(
      Array.from({ length: EMPLOYEES }, (_, n) => `payroll-2026-11-E${String(n + 1).padStart(3, "0")}`),
    );

    const waiting = start("salaries.csv", 600);
    await expect.poll(waiting.printed).toContain("wait for approval");
    for (const { id } of created) await approve(id);
    const done = await waiting.ended;
    expect(done.status, done.output).toBe(1);
    expect(done.output).toMatch(/line 2 E001 5000\.01 BRL word_\w+ failed provider_declined/);
    expect(done.output).toContain(`${EMPLOYEES - 1} of ${EMPLOYEES} paid`);

    writeFileSync(join(folder, "salaries.csv"), csv({ E002: "9000.00" }));
    const changed = await start("salaries.csv", 0).ended;
    expect(changed.status, changed.output).toBe(1);
    expect(changed.output).toMatch(/line 3 E002 9000\.00 BRL - duplicate_merchant_reference: .*amount/);
    expect(await payouts()).toHaveLength(EMPLOYEES);
  } finally {
    for (const child of children) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});
