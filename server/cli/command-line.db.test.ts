// Tests that each command, run as a process, prints its one document, does its work, and exits with the right status.
import type { Option } from "commander";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { newId } from "@/server/platform/ids";
import { authenticate } from "@/server/services/api-keys/authenticate";
import { createApiKey } from "@/server/services/api-keys/create";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createMerchant } from "@/server/services/merchants/create";
import { operatorContext } from "@/server/services/merchants/operator";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { makeMember } from "@/server/testing/merchant";
import type { Command } from "./command";
import { allCommands } from "./commands";
import { documentOf, refusalOf, runCli } from "./testing/run-cli";
import { runCommand } from "./testing/run-command";

const APPROVER = "approver@shop.example";

/** Each run of the command line is a process, which takes long on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });

let merchant: string;

async function run(...words: string[]) {
  return documentOf(await runCli(words));
}

async function refused(...words: string[]) {
  return refusalOf(await runCli(words));
}

async function createPayout(): Promise<string> {
  const recipient = { type: "bank_account", accountNumber: "99887766", bankCode: "001", holderName: "Ana" } as const;
  const command = { amount: "500", currency: "BRL", country: "BR", merchantReference: newId("request"), recipient };
  const { intent } = await createPayoutIntent(operatorContext(merchant, "test"), command, withoutIdempotency());
  return intent.id;
}

beforeAll(async () => {
  merchant = await createMerchant("Shop", ["BRL", "JPY"]);
  await makeMember(merchant, APPROVER, "approver");
});

afterAll(disconnect);

it("prints a whole document that is larger than a pipe, also to a slow reader", async () => {
  const context = operatorContext(await createMerchant("Large", ["BRL"]), "test");
  for (let n = 0; n < 300; n += 1) await createApiKey(context, `Till ${n}`);
  const words = ["audit", "list", "--merchant", context.scope.merchantId, "--environment", "test", "--limit", "1000"];
  const { stdout, stderr } = await runCli(words, {}, "sleep 1; cat");
  expect(stderr).toBe("");
  expect(stdout.length).toBeGreaterThan(1 << 17);
  const { data } = JSON.parse(stdout) as { data: readonly unknown[] };
  expect(data.length).toBeGreaterThanOrEqual(300);
  // A reader that closes the pipe early causes no error.
  const cut = await runCli(words, {}, "head -c 10");
  expect([cut.stdout.length, cut.stderr]).toEqual([10, ""]);
});

it("routes show prints the parsed routes", async () => {
  const route = { kind: "payment", method: "BR_PIX", environment: "test", providers: [{ name: "sandbox" }] };
  const { data } = documentOf(await runCli(["routes", "show"], { ROUTES: JSON.stringify([route]) }));
  const conditions = { method: "BR_PIX", currency: null, country: null, environment: "test" };
  expect(data).toEqual([
    { name: "ROUTES[0]", kind: "payment", ...conditions, providers: [{ name: "sandbox", weight: 1 }] },
  ]);
  expect(await run("routes", "show")).toEqual({ data: [] });
  const faulty = refusalOf(await runCli(["routes", "show"], { ROUTES: '[{"kind":"payout","providers":[]}]' }));
  expect(faulty).toMatchObject({ exitStatus: 1, code: "configuration_invalid" });
});

it("providers check prints what each provider offers, its callback address and the findings", async () => {
  const entry = { name: "acme", url: "http://127.0.0.1:9", secret: "s".repeat(32), payment_methods: ["BR_PIX"] };
  const { data } = documentOf(await runCli(["providers", "check"], { PROVIDERS: JSON.stringify([entry]) }));
  const finding = "warning: no signed callback has arrived yet; configure the address above at the provider";
  const offers = {
    account: null,
    sub_accounts: [],
    payment_methods: ["BR_PIX"],
    payout_currencies: [],
    offers_topups: false,
  };
  const address = expect.stringMatching(/\/providers\/acme\/callbacks$/) as string;
  expect(data).toEqual([{ name: "acme", ...offers, callback_url: address, is_ready: true, findings: [finding] }]);
});

it("providers check says that it knows no providers, which the service may well have", async () => {
  const { exitStatus, stdout, stderr } = await runCli(["providers", "check"], { PROVIDERS: null });
  expect({ exitStatus, document: JSON.parse(stdout) as unknown }).toEqual({ exitStatus: 0, document: { data: [] } });
  expect(stderr).toContain("PROVIDERS is not set for this command");
});

it("providers status prints every provider, and why it does not know the breakers", async () => {
  const entry = { name: "acme", url: "http://127.0.0.1:9", secret: "s".repeat(32), payment_methods: ["BR_PIX"] };
  const { data, ...rest } = documentOf(await runCli(["providers", "status"], { PROVIDERS: JSON.stringify([entry]) }));
  expect(rest).toEqual({ breakers_unknown_because: "METRICS_TOKEN is not set" });
  const shown = data as readonly Record<string, unknown>[];
  expect(shown.map(({ name }) => name)).toEqual(expect.arrayContaining(["sandbox", "acme"]));
  expect(shown.find(({ name }) => name === "acme")).toEqual({
    name: "acme",
    is_configured: true,
    account: null,
    sub_accounts: [],
    environments: ["live"],
    merchants: null,
    payment_methods: ["BR_PIX"],
    payout_currencies: [],
    offers_topups: false,
    balances: null,
    last_callback_at: null,
    open_breakers: null,
    calls: [],
    open: [],
  });
});

it("merchants create creates a merchant, with working keys if requested", async () => {
  const [plain, keyed] = await Promise.all([
    run("merchants", "create", "--name", "Plain", "--currencies", "BRL"),
    run("merchants", "create", "--name", "Keyed", "--currencies", "BRL,MXN, USDT,BRL", "--with-keys"),
  ]);
  expect(plain).toEqual({ id: expect.stringMatching(/^mer_/) as string, name: "Plain", currencies: ["BRL"] });
  expect(keyed).toMatchObject({ name: "Keyed", currencies: ["BRL", "MXN", "USDT"] });
  const keys = keyed.keys as Record<"test" | "live", { public_key: string; secret_key: string }>;
  for (const environment of ["test", "live"] as const) {
    const { public_key: publicKey, secret_key: secretKey } = keys[environment];
    const { scope } = await authenticate({ publicKey, secretKey });
    expect(scope).toEqual({ merchantId: keyed.id, environment });
  }
});

it("merchants set-checkout sets the mode", async () => {
  const printed = await run("merchants", "set-checkout", "--merchant", merchant, "--mode", "hosted");
  expect(printed).toEqual({ id: merchant, checkout_mode: "hosted" });
  expect(await query("SELECT checkout_mode FROM merchant WHERE id = $1", merchant)).toEqual([
    { checkout_mode: "hosted" },
  ]);
});

it("merchants set-account-checks sets whether accounts are checked", async () => {
  const printed = await run("merchants", "set-account-checks", "--merchant", merchant, "--checked", "yes");
  expect(printed).toEqual({ id: merchant, checks_accounts: true });
  expect(await query("SELECT checks_accounts FROM merchant WHERE id = $1", merchant)).toEqual([
    { checks_accounts: true },
  ]);
  await run("merchants", "set-account-checks", "--merchant", merchant, "--checked", "no");
});

it("keys create shows a secret once, and keys revoke disables it for good", async () => {
  const key = await run("keys", "create", "--merchant", merchant, "--environment", "live", "--name", "Till 4");
  expect(key).toEqual({
    id: expect.stringMatching(/^key_/) as string,
    merchant_id: merchant,
    environment: "live",
    public_key: expect.stringMatching(/^pk_live_[0-9A-Za-z]{24}$/) as string,
    secret_key: expect.stringMatching(/^sk_live_[0-9A-Za-z]{43}$/) as string,
  });
  const publicKey = String(key.public_key);
  const revoked = await run("keys", "revoke", "--public-key", publicKey);
  expect(revoked).toEqual({ public_key: publicKey, revoked_at: expect.stringMatching(/^\d{4}-.*Z$/) as string });
  await expect(authenticate({ publicKey, secretKey: String(key.secret_key) })).rejects.toMatchObject({
    code: "unauthorized",
  });
  expect(await run("keys", "revoke", "--public-key", publicKey)).toEqual(revoked);
});

it("members create prints a link, not a password, for a member whose address is then taken", async () => {
  const words = ["members", "create", "--merchant", merchant, "--roles", "approver,finance"];
  const member = await run(...words, "--email", "Eva@Shop.example");
  expect(member).toEqual({
    id: expect.stringMatching(/^mem_/) as string,
    merchant_id: merchant,
    email: "eva@shop.example",
    roles: ["approver", "finance"],
    link: expect.stringMatching(/^http.*\/welcome#[0-9A-Za-z]{43}$/) as string,
    expires_at: expect.stringMatching(/Z$/) as string,
    is_mailed: false,
    // Nothing sets it here: the link names the default, and says so.
    note: expect.stringMatching(/^BASE_URL is not set, so the link begins with http:\/\/localhost:3000\./) as string,
  });
  expect(await refused(...words, "--email", "eva@shop.example")).toMatchObject({
    exitStatus: 1,
    code: "validation_failed",
  });
});

it("wallets fund books minor units exactly, and wallets show shows them", async () => {
  const place = ["--merchant", merchant, "--environment", "live"];
  const amount = "900719925474099";
  const funded = await run("wallets", "fund", ...place, "--currency", "BRL", "--amount", amount);
  expect(funded).toEqual({
    merchant_id: merchant,
    environment: "live",
    currency: "BRL",
    amount,
    reference: null,
    booked: true,
    available: amount,
    held: "0",
  });
  expect(await run("wallets", "show", ...place)).toEqual({
    merchant_id: merchant,
    environment: "live",
    data: [
      { currency: "BRL", available: amount, held: "0" },
      { currency: "JPY", available: "0", held: "0" },
    ],
  });
});

it("payouts approve and payouts cancel act as the member, and print the payout without its account number", async () => {
  const [approvable, cancellable] = await Promise.all([createPayout(), createPayout()]);
  const [approved, cancelled] = await Promise.all([
    run("payouts", "approve", "--id", approvable, "--as", APPROVER),
    run("payouts", "cancel", "--id", cancellable, "--as", APPROVER, "--reason", "não é nossa"),
  ]);
  expect(approved).toMatchObject({ object: "payout_intent", id: approvable, status: "processing" });
  expect(cancelled).toMatchObject({ status: "cancelled", failure_code: "cancelled", failure_message: "não é nossa" });
  expect(JSON.stringify([approved, cancelled])).not.toContain("99887766");
  const late = await refused("payouts", "cancel", "--id", approvable, "--as", APPROVER);
  expect(late).toMatchObject({ exitStatus: 1, code: "approval_required" });
});

it.each([
  ["validation_failed", "merchants create --name Odd --currencies BRL,XYZ"],
  ["not_found", "merchants set-checkout --merchant mer_nobody --mode direct"],
  ["not_found", "keys create --merchant mer_nobody --environment test"],
  ["not_found", "keys revoke --public-key pk_test_nobody"],
  ["validation_failed", "members create --merchant MERCHANT --email nobody --roles finance"],
  ["validation_failed", "members create --merchant MERCHANT --email a@b.example --roles king"],
  ["validation_failed", "wallets fund --merchant MERCHANT --environment live --currency BRL --amount 10.50"],
  ["validation_failed", "wallets fund --merchant MERCHANT --environment live --currency MXN --amount 1050"],
  ["not_found", "wallets show --merchant mer_nobody --environment live"],
  ["not_found", "payouts approve --id word_nonsense --as approver@shop.example"],
  ["not_found", "payouts cancel --id word_nonsense --as approver@shop.example --reason REASON_OF_512"],
  ["validation_failed", "payouts cancel --id word_nonsense --as approver@shop.example --reason REASON_OF_513"],
])("%s: %s", async (code, line) => {
  const stand: Record<string, string> = {
    MERCHANT: merchant,
    REASON_OF_512: "é".repeat(512),
    REASON_OF_513: "é".repeat(513),
  };
  const words = line.split(" ").map((word) => stand[word] ?? word);
  expect(await runCommand(...words)).toMatchObject({ code, exitStatus: 1 });
});

/** Words for the required options that help shows, so that each command gets as far as its merchant. */
function wordsWithout(merchantId: string, { name, options }: Command): string[] {
  const made = Object.entries(options).map(([key, option]) => option.make(`--${key}`));
  const given = made.filter((option) => option.mandatory || option.defaultValue === undefined);
  return [...name.split(" "), "--merchant", merchantId, ...given.flatMap(wordsFor)];
}

function wordsFor(option: Option): string[] {
  if (option.long === "--merchant") return [];
  const [, placeholder = ""] = /<(.*)>/.exec(option.flags) ?? [];
  return [
    option.long?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) ?? "",
    placeholder.split("|")[0] ?? "",
  ];
}

it.each(
  (await allCommands())
    // A move needs two cells, and a test of its own.
    .filter(({ name, options }) => "merchant" in options && !["merchants drop-copy", "merchants move"].includes(name))
    .map((command) => [command.name, command] as const),
)("%s answers not_found for a merchant that there is not", async (_, command) => {
  for (const unknown of ["mer_nope", ""]) {
    expect(await runCommand(...wordsWithout(unknown, command))).toMatchObject({ code: "not_found", exitStatus: 1 });
  }
});

it("an invalid command line exits 2 with the command's help, and does nothing", async () => {
  const finished = await runCli(["wallets", "fund", "--merchant", merchant, "--environment", "prod", "--amount", "5"]);
  expect(refusalOf(finished)).toMatchObject({ exitStatus: 2, code: "usage" });
  expect(finished.stderr).toContain("--environment test|live");
  const unknown = await runCli(["wallets", "empty"]);
  expect(refusalOf(unknown)).toMatchObject({ exitStatus: 2, code: "usage" });
  expect(unknown.stderr).toContain("wallets fund");
  expect(unknown.stderr).not.toContain("merchants create");
  expect((await runCli(["nonsense"])).stderr).toContain("merchants create");
});

it("a noun alone is invalid and prints its commands; with --help it is answered", async () => {
  const [bare, helped] = await Promise.all([runCli(["keys"]), runCli(["keys", "--help"])]);
  expect(refusalOf(bare)).toMatchObject({ exitStatus: 2, code: "usage" });
  expect(helped).toMatchObject({ exitStatus: 0, stderr: "" });
  for (const text of [bare.stderr, helped.stdout]) {
    expect(text).toContain("keys roll");
    expect(text).not.toContain("merchants create");
  }
});

it("--help prints help, needs no configuration, and exits 0", async () => {
  const finished = await runCli(["keys", "create", "--help"], { SLUICE_SECRETS: null });
  expect(finished).toMatchObject({ exitStatus: 0, stderr: "" });
  expect(finished.stdout).toContain("keys create --merchant ID --environment test|live [--name NAME]");
});

it("a faulty configuration and an unavailable database give different errors", async () => {
  const [faulty, away] = await Promise.all([
    runCli(["wallets", "show", "--merchant", merchant, "--environment", "test"], { SLUICE_SECRETS: null }),
    runCli(["wallets", "show", "--merchant", merchant, "--environment", "test"], {
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing",
    }),
  ]);
  expect(refusalOf(faulty)).toMatchObject({ exitStatus: 1, code: "configuration_invalid" });
  expect(refusalOf(faulty).message).toContain("SLUICE_SECRETS");
  expect(refusalOf(away)).toMatchObject({ exitStatus: 1, code: "service_unavailable" });
  expect(away.stderr).toContain("ECONNREFUSED");
});
