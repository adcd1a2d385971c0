// Tests that the commands for exceptions, settlement files and statements print their document and exit with the right
// status.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { disconnect } from "@/server/db/client";
import { newId } from "@/server/platform/ids";
import { applyDueCallbacks } from "@/server/services/callbacks/receive-callback";
import { storeCallback } from "@/server/services/callbacks/store";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createMerchant } from "@/server/services/merchants/create";
import { operatorContext } from "@/server/services/merchants/operator";
import { createPaymentIntent } from "@/server/services/payments/create";
import { simulate } from "@/server/services/sandbox/simulate";
import { makeMember } from "@/server/testing/merchant";
import { documentOf, refusalOf, runCli } from "./testing/run-cli";

/** Each run of the command line is a process, which takes long on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });

const FINANCE = "finance@shop.example";
let merchant: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-reconcile-"));
  merchant = await createMerchant("Shop", ["BRL"]);
  await makeMember(merchant, FINANCE, "finance");
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await disconnect();
});

const run = async (...words: string[]) => documentOf(await runCli(words));
const refused = async (...words: string[]) => refusalOf(await runCli(words));

async function paid(): Promise<string> {
  const context = operatorContext(merchant, "test");
  const command = {
    amount: "1050",
    currency: "BRL",
    country: "BR",
    paymentMethod: "BR_PIX",
    merchantReference: `order-${Math.random()}`,
    customer: null,
    description: null,
    returnUrl: null,
  };
  const { intent } = await createPaymentIntent(context, command, withoutIdempotency());
  await simulate(context, intent.id, "succeeded");
  return intent.id;
}

it("reconcile prints counts and what needs a check; its exceptions are listed, taken on and resolved", async () => {
  const [agreed, other] = [await paid(), await paid()];
  const at = new Date().toISOString();
  const file = join(folder, "day.csv");
  const line = (id: string, reference: string, amount: number) => `${id},payment,${reference},,${amount},BRL,5,${at}`;
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
  await writeFile(file, [header, line("L1", agreed, 1050), line("L2", other, 1000)].join("\n"));
  const words = ["reconcile", "--provider", "sandbox", "--environment", "test", "--file", file];
  const finished = await runCli(words);
  expect(finished).toMatchObject({ exitStatus: 1, stderr: "" });
  expect(JSON.parse(finished.stdout)).toMatchObject({
    provider: "sandbox",
    environment: "test",
    file: { id: expect.stringMatching(/^stf_/) as string, name: "day.csv", imported_before: false },
    counts: {
      lines: 2,
      matched: 1,
      amount_mismatch: 1,
      missing_internal: 0,
      duplicate: 0,
      fee: 0,
      missing_external: 0,
    },
    fees_booked: 2,
    exceptions: { opened: 1, resolved: 0 },
    needs_look: 1,
    look: [
      { verdict: "amount_mismatch", line: 3, line_id: "L2", reference: other, merchant_id: merchant, amount: "1000" },
    ],
  });
  const again = JSON.parse((await runCli(words)).stdout) as object;
  expect(again).toMatchObject({ file: { imported_before: true }, fees_booked: 0, exceptions: { opened: 0 } });

  const listed = (await run("exceptions", "list", "--merchant", merchant, "--open")) as { data: { id: string }[] };
  expect(listed).toEqual({
    data: [
      {
        id: expect.stringMatching(/^exc_/) as string,
        kind: "amount_mismatch",
        merchant_id: merchant,
        environment: "test",
        object_id: other,
        detail: expect.objectContaining({ line_id: "L2", why: "our books have 10.50 BRL" }) as object,
        opened_at: expect.stringMatching(/Z$/) as string,
        age_seconds: expect.any(Number) as number,
        owner: null,
        assigned_by: null,
        assigned_at: null,
        resolution: null,
        settled_as: null,
        resolved_at: null,
        resolved_by: null,
      },
    ],
    has_more: false,
  });
  const id = listed.data[0]?.id ?? "";
  expect(await run("exceptions", "take", "--id", id, "--as", FINANCE)).toMatchObject({
    owner: expect.stringMatching(/^mem_/) as string,
  });
  expect(await refused("exceptions", "resolve", "--id", id, "--resolution", "Theirs.")).toMatchObject({
    code: "validation_failed",
  });
  const resolved = await run(
    "exceptions",
    "resolve",
    "--id",
    id,
    "--as",
    FINANCE,
    "--resolution",
    "They pay the rest.",
  );
  expect(resolved).toMatchObject({
    resolution: "They pay the rest.",
    resolved_by: `operator:${FINANCE}`,
  });
  expect(await run("exceptions", "list", "--merchant", merchant, "--open")).toEqual({ data: [], has_more: false });
});

it("reconcile reports the fault of a file and stores nothing of it", async () => {
  const file = join(folder, "bad.csv");
  await writeFile(
    file,
    "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at\nL1,payment,x,,1.5,BRL,,x",
  );
  const words = ["reconcile", "--provider", "sandbox", "--environment", "test"];
  const refusal = await refused(...words, "--file", file);
  expect(refusal).toMatchObject({ exitStatus: 1, code: "validation_failed" });
  expect(refusal.message).toMatch(/^line 2, column (amount|settled_at): /);
  expect(await refused(...words, "--file", join(folder, "none.csv"))).toMatchObject({ exitStatus: 2, code: "usage" });
  expect(await refused("reconcile", "--provider", "acme", "--file", file)).toMatchObject({ code: "validation_failed" });
});

it("statement prints a wallet line by line, and the lines add up", async () => {
  const id = await paid();
  const wallet = ["--merchant", merchant, "--environment", "test", "--currency", "BRL"];
  const to = new Date(Date.now() + 60_000).toISOString();
  const printed = await run("statement", ...wallet, "--from", "2026-01-01T00:00:00Z", "--to", to);
  const lines = printed.lines as { intent_id: string; after: { available: string } }[];
  expect(printed).toMatchObject({
    opening: { available: "0", held: "0" },
    adds_up: true,
    unexplained: { available: "0" },
  });
  expect(lines.at(-1)).toMatchObject({ intent_id: id, reason: "payment_credit", available: "1050", held: "0" });
  expect(lines.at(-1)?.after).toEqual(printed.closing);
  const bad = await refused("statement", ...wallet, "--from", "yesterday", "--to", to);
  expect(bad).toMatchObject({ code: "validation_failed", message: expect.stringMatching(/^from /) as string });
});

it("callbacks are listed, shown without personal values, and applied again", async () => {
  const callbackId = `cb-${Math.random()}`;
  const id = `acme/${callbackId}`;
  const reference = newId("paymentIntent");
  const body = { callback_id: callbackId, merchant_id: merchant, reference, status: "pending", holder_name: "Ana" };
  await storeCallback({ provider: "acme", callbackId }, JSON.stringify(body));
  await applyDueCallbacks(10, 30_000);
  const shown = {
    id,
    provider: "acme",
    state: "unapplied",
    result: "unreadable",
    attempts: 1,
    received_at: expect.stringMatching(/Z$/) as string,
    finished_at: expect.stringMatching(/Z$/) as string,
    next_try_at: null,
  };
  const list = ["callbacks", "list", "--provider", "acme"];
  expect(await run(...list, "--state", "unapplied")).toEqual({ data: [shown], has_more: false });
  expect(await run(...list, "--state", "applied")).toEqual({ data: [], has_more: false });
  expect(await refused(...list, "--state", "lost")).toMatchObject({ code: "validation_failed" });
  expect(await run("callbacks", "show", "--id", id)).toEqual({
    ...shown,
    body: JSON.stringify({ ...body, holder_name: "[hidden]" }),
  });
  expect(await refused("callbacks", "show", "--id", callbackId)).toMatchObject({ code: "not_found" });
  const applied = await runCli(["callbacks", "apply", "--id", id]);
  expect(applied).toMatchObject({ exitStatus: 1 });
  expect(JSON.parse(applied.stdout)).toMatchObject({
    result: "unreadable",
    attempts: 2,
    why: "the provider is not configured",
  });
});
