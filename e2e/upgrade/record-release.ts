// Records a database of an earlier release, made by running it, and what its API answered. docs/migrations.md explains it.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { basicAuthorization } from "../support/api";
import { dumpRows } from "./dump";
import { endPayments, endPayouts, endTopups, playSandbox } from "./ended-scenes";
import {
  leaveApprovals,
  leaveCallbacks,
  leaveForgotten,
  leavePayments,
  leavePayouts,
  leaveTopups,
  silencePolls,
} from "./open-scenes";
import { packRecording, type RecordedAnswer, type RecordedCreation } from "./recording";
import {
  approve,
  createPayout,
  type Environment,
  makeParty,
  openStage,
  type Party,
  pathOf,
  type Stage,
  startPostgres,
  until,
} from "./stage";

const POLICY = { default_approvals: 2, rules: [{ currency: "JPY", country: "JP", approvals: 0 }] };

/** Webhook endpoints, one of which accepts and one refuses; keys rolled and revoked; a policy of two approvals. */
async function configure(stage: Stage, [first, second]: readonly [Party, Party]): Promise<void> {
  for (const url of [`${stage.receiver.url}/accepts`, "http://127.0.0.1:9/refuses"]) {
    const { status, text } = await first.test.post("/webhook_endpoints", { url });
    if (status !== 201) throw new Error(`an endpoint was not made: ${text}`);
  }
  const scope = ["--merchant", second.merchant.id, "--environment", "live"];
  for (const verb of ["roll", "revoke"]) {
    const key = await stage.cli("keys", "create", ...scope, "--name", verb);
    await stage.cli("keys", verb, "--public-key", String(key.public_key));
  }
  const [eva = "", ana = ""] = second.approvers;
  const file = join(stage.world.service.dataDir, "policy.json");
  writeFileSync(file, JSON.stringify(POLICY));
  await stage.cli("policies", "set", ...scope, "--file", file, "--as", eva);
  await stage.cli("policies", "confirm", ...scope, "--version", "2", "--as", ana);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
}

/** Imports a settlement file of acme: payments with fees, one with another amount, and a line without an intent. */
async function importSettlement(stage: Stage): Promise<void> {
  const paid = await stage.world.database.query<{ id: string; amount: string }>(
    "SELECT id, amount::text FROM payment_intent WHERE status = 'succeeded' AND provider = 'acme' ORDER BY id",
  );
  const payouts = await stage.world.database.query<{ id: string; amount: string }>(
    "SELECT id, amount::text FROM payout_intent WHERE status = 'succeeded' AND provider = 'acme' ORDER BY id LIMIT 2",
  );
  const at = new Date().toISOString();
  const lines = [
    "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at",
    ...paid.map(({ id, amount }, n) => `P-${n},payment,${id},,${amount},BRL,${12 + n},${at}`),
    ...payouts.map(({ id, amount }, n) => `O-${n},payout,${id},,${BigInt(amount) + BigInt(n)},BRL,,${at}`),
    `X-1,payment,dord_01h455vb4pex5vsknk084sn02q,,999,BRL,,${at}`,
  ];
  const file = join(stage.world.service.dataDir, "settlement.csv");
  writeFileSync(file, lines.join("\n"));
  await stage.cli("reconcile", "--provider", "acme", "--file", file);
}

async function read(party: Party, environment: Environment, path: string): Promise<RecordedAnswer> {
  const { status, body } = await party[environment].get(path);
  if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
  return { authorization: basicAuthorization(party.merchant.keys[environment]), path, body };
}

/** What the API answers about every wallet, and about every intent except those that will still change. */
async function readAnswers(
  stage: Stage,
  parties: readonly Party[],
  moving: readonly string[],
): Promise<RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  for (const party of parties) {
    for (const environment of ["test", "live"] as const) {
      const intents = await stage.world.database.query<{ id: string }>(
        `SELECT id FROM (SELECT id, merchant_id, environment FROM payment_intent
           UNION ALL SELECT id, merchant_id, environment FROM payout_intent
           UNION ALL SELECT id, merchant_id, environment FROM topup_intent) i
         WHERE merchant_id = $1 AND environment = $2 AND id <> ALL ($3) ORDER BY id`,
        party.merchant.id,
        environment,
        moving,
      );
      const paths = ["/wallets", "/webhook_events?limit=100", ...intents.map(({ id }) => pathOf(id))];
      for (const path of paths) answers.push(await read(party, environment, path));
    }
  }
  return answers;
}

async function createKeyed(party: Party): Promise<RecordedCreation> {
  const [path, key, environment] = ["/payout_intents", "replayed", "live"] as const;
  const request = JSON.stringify({
    amount: "9900",
    currency: "BRL",
    country: "BR",
    merchant_reference: "replayed",
    recipient: { type: "bank_account", account_number: "0001234567890", bank_code: "001", holder_name: "Ana Souza" },
  });
  const headers = { "content-type": "application/json", "idempotency-key": key };
  const { status, body } = await party[environment].send({ method: "POST", path, headers, body: request });
  if (status !== 201) throw new Error(`POST ${path} answered ${status}`);
  return { authorization: basicAuthorization(party.merchant.keys[environment]), path, key, request, body };
}

/** Lets a payout be sent, and kills every process before the provider has answered. */
async function crash(stage: Stage, party: Party, payoutId: string): Promise<void> {
  await stage.acme.misbehave({ mode: "execute_then_hang", kind: "payouts", operation: "create", first: true });
  const isSending = async () => {
    const sql = "SELECT 1 FROM provider_attempt WHERE intent_id = $1 AND state = 'started'";
    return (await stage.world.database.query(sql, payoutId)).length > 0;
  };
  await Promise.all([approve(stage, payoutId, party.approvers[0] ?? ""), until("a call is under way", isSending)]);
  await stage.world.service.kill9("group");
}

async function record(release: string): Promise<Buffer> {
  const stage = await openStage(release);
  try {
    const first = await makeParty(stage, "first", ["BRL", "MXN", "USDT"]);
    const second = await makeParty(stage, "second", ["BRL", "MXN", "JPY"]);
    await configure(stage, [first, second]);
    for (const scene of [endPayments, endPayouts, endTopups, playSandbox]) await scene(stage, first);
    await importSettlement(stage);
    await leaveApprovals(stage, second);
    await silencePolls(stage);
    for (const scene of [leavePayments, leavePayouts, leaveTopups, leaveCallbacks]) await scene(stage, first);
    await leaveForgotten(stage, second);
    const creation = await createKeyed(first);
    const sending = await createPayout(first.live, { amount: "9600" });
    const waiting = await createPayout(first.live, { amount: "9700" });
    const answers = await readAnswers(stage, [first, second], [sending.id, waiting.id]);
    await crash(stage, first, sending.id);
    const postgres = await startPostgres(stage);
    await approve(stage, waiting.id, first.approvers[0] ?? "");
    const description = {
      commit: execFileSync("git", ["-C", release, "rev-parse", "HEAD"]).toString().trim(),
      recordedAt: new Date().toISOString(),
      secrets: readFileSync(join(stage.world.service.dataDir, "secrets"), "utf8").trim(),
      answers,
      creation,
      providers: { acme: await stage.acme.record(), zeta: await stage.zeta.record() },
    };
    await stage.world.reconnect();
    const rows = await dumpRows(stage.world.database);
    await postgres.stop();
    return packRecording({ ...description, rows });
  } finally {
    await stage.close();
  }
}

const [release, output] = process.argv.slice(2);
if (!release || !output) throw new Error("usage: record-release.ts <folder of the built release> <file.gz>");
writeFileSync(output, await record(release));
