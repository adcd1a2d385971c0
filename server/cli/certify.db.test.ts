// `providers certify` as a process: its document, its exit status and its report.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FakePaystack } from "@/e2e/support/fake-paystack/server";
import { type Finished, refusalOf, runCli } from "./testing/run-cli";

const KEY = `sk_test_${"0123456789".repeat(4)}`;
const folder = mkdtempSync(join(tmpdir(), "sluice-certify-"));
const report = join(folder, "report.md");

let fake: FakePaystack;

beforeAll(async () => {
  fake = await FakePaystack.start();
  fake.open(KEY, { integration: 463_433, domain: "test" }).customers.push("earlier@example.com");
});
afterAll(async () => {
  await fake.stop();
  rmSync(folder, { recursive: true });
});

function certify(entry: object): Promise<Finished> {
  const members = { name: "paystack", type: "paystack", account: "463433", secret_key: KEY, url: fake.url };
  const offers = { environments: ["test"], payment_methods: ["NG_USSD"] };
  const words = ["providers", "certify", "--provider", "paystack", "--report", report];
  return runCli([...words, "--wait", "1s", "--expiry", "none"], {
    PROVIDERS: JSON.stringify([{ ...members, ...offers, ...entry }]),
  });
}

it("writes a report, asks on standard error for what a person must do, and exits 0 if no step failed", async () => {
  const { exitStatus, stdout, stderr } = await certify({});
  expect(exitStatus).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ provider: "paystack", verdict: "incomplete", report });
  expect(stderr).toContain("NG_USSD: pay 200.00 NGN now, reference dord_");
  expect(stderr).toContain("https://checkout.paystack.com/");
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(readFileSync(report, "utf8")).toContain(`| Adapter | \`paystack\` of Sluice ${version} |`);
});

it("exits 1 if a step failed, and prints the document and writes the report all the same", async () => {
  const { exitStatus, stdout } = await certify({ account: "99" });
  expect(exitStatus).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "failed" });
  expect(readFileSync(report, "utf8")).toContain("| account | key and account | **failed** |");
});

it("refuses live keys, and calls nobody", async () => {
  const before = fake.calls.length;
  const live = { secret_key: KEY.replace("test", "live"), environments: ["live"] };
  expect(refusalOf(await certify(live))).toMatchObject({ exitStatus: 1, code: "validation_failed" });
  expect(fake.calls).toHaveLength(before);
});
