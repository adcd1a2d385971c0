// Tests the commands for approval policies: a change by two members from a file, and rejections.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { disconnect } from "@/server/db/client";
import { createMerchant } from "@/server/services/merchants/create";
import { makeMember } from "@/server/testing/merchant";
import { documentOf, runCli } from "./testing/run-cli";
import { runCommand as run } from "./testing/run-command";

/** Each run of the command line is a process, which takes long on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const PEOPLE = { owner: ["owner"], admin: ["admin"], approver: ["approver"], finance: ["finance"] } as const;
const POLICY = {
  default_approvals: 1,
  rules: [{ currency: "BRL", amount_at_least: "1000000", approvals: 2 }],
};

let folder: string;
let merchant: string;

const address = (person: keyof typeof PEOPLE) => `${person}@shop.example`;
const inTest = () => ["--merchant", merchant, "--environment", "test"];

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-policies-"));
  merchant = await createMerchant("Shop", ["BRL", "JPY"]);
  for (const [person, roles] of Object.entries(PEOPLE)) {
    const email = address(person as keyof typeof PEOPLE);
    await makeMember(merchant, email, ...roles);
  }
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await disconnect();
});

it("show, set and confirm: a file proposed by one member takes effect once another confirms it", async () => {
  expect(await run("policies", "show", ...inTest())).toMatchObject({
    merchant_id: merchant,
    environment: "test",
    active: { version: 1, policy: { default_approvals: 1, rules: [] }, in_words: ["every payout: 1 approval"] },
    proposed: null,
    approvers: 3,
    warnings: [],
  });
  const path = await file("policy.json", JSON.stringify(POLICY));
  const set = ["policies", "set", ...inTest(), "--file", path, "--as", address("owner")];
  const proposed = { version: 2, state: "proposed", policy: POLICY, decided_by: null };
  expect(await run(...set)).toMatchObject(proposed);
  const confirm = ["policies", "confirm", ...inTest(), "--version", "2", "--as"];
  expect(await run(...confirm, address("owner"))).toMatchObject({ exitStatus: 1, code: "approval_required" });
  const active = {
    version: 2,
    state: "active",
    in_words: ["a payout in BRL of at least 1000000 minor units: 2 approvals", "any other payout: 1 approval"],
    proposed_by: expect.stringMatching(/^member:mem_/) as string,
    decided_by: expect.stringMatching(/^member:mem_/) as string,
  };
  expect(documentOf(await runCli([...confirm, address("admin")]))).toMatchObject(active);
  expect(await run("policies", "show", ...inTest())).toMatchObject({ active, proposed: null });
});

it("reject: a proposal is gone for good, and its number is not reused", async () => {
  const live = ["--merchant", merchant, "--environment", "live"];
  const path = await file("none.json", JSON.stringify({ default_approvals: 0, rules: [] }));
  const set = ["policies", "set", ...live, "--file", path, "--as", address("admin")];
  expect(await run(...set)).toMatchObject({ version: 2 });
  expect(await run("policies", "show", ...live)).toMatchObject({ active: { version: 1 }, proposed: { version: 2 } });
  const reject = ["policies", "reject", ...live, "--version", "2", "--as", address("owner")];
  expect(await run(...reject)).toMatchObject({ version: 2, state: "rejected" });
  expect(await run(...reject)).toMatchObject({ code: "not_found" });
  expect(await run(...set)).toMatchObject({ version: 3 });
});

it.each([
  ["forbidden", "finance", POLICY],
  ["forbidden", "approver", POLICY],
  ["validation_failed", "owner", { ...POLICY, default_approvals: 3 }],
  ["validation_failed", "owner", { ...POLICY, rules: [{ currency: "MXN", approvals: 1 }] }],
  ["validation_failed", "owner", { ...POLICY, rules: [{ ammount_at_least: "1", approvals: 1 }] }],
] as const)("set answers %s to the %s with %j", async (code, person, policy) => {
  const path = await file("odd.json", JSON.stringify(policy));
  const failure = await run("policies", "set", ...inTest(), "--file", path, "--as", address(person));
  expect(failure).toMatchObject({ code, exitStatus: 1 });
});

it("invalid JSON, a missing file, a wrong version and an unknown merchant give different errors", async () => {
  const set = ["policies", "set", ...inTest(), "--as", address("owner"), "--file"];
  expect(await run(...set, await file("broken.json", '{"rules":'))).toMatchObject({ code: "validation_failed" });
  expect(await run(...set, join(folder, "absent.json"))).toMatchObject({ code: "usage", exitStatus: 2 });
  const confirm = ["policies", "confirm", ...inTest(), "--as", address("owner"), "--version"];
  expect(await run(...confirm, "two")).toMatchObject({ code: "validation_failed" });
  expect(await run(...confirm, "9")).toMatchObject({ code: "not_found" });
  const unknown = ["--merchant", "mer_nobody", "--environment", "test"];
  expect(await run("policies", "show", ...unknown)).toMatchObject({ code: "not_found" });
});
