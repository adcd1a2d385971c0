// One run: canaries in, rotation under load, then the search.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bridge } from "../../rest/bridge";
import { createEndpoint } from "../../rest/webhook-calls";
import type { PostgresServer } from "../../support/postgres/server";
import { startReceiver } from "../../support/receiver";
import { logFile } from "../../support/service";
import { makeControls, sendCanaries, sendControls, untilDelivered, untilPaid } from "./canaries";
import { createNeedles, FORMS, type Needles } from "./needles";
import { commandsOf, readDocuments, readExports, readLists } from "./outside";
import { CONTROL, type Findings, noFindings, searchDatabase, searchFile, searchFolder, searchOf } from "./places";
import { numberOf } from "./planter/number";
import type { Planted, PlantedMerchant } from "./planter/plant";
import type { Verified } from "./planter/verify";
import { startPlanter } from "./planting";
import { judgeWrites, removeOldSecret, rotateUnderLoad, untilRehashed } from "./rotation";

interface Stage {
  readonly bridge: Bridge;
  readonly server: PostgresServer;
  readonly serverFolder: string;
  readonly secrets: { readonly old: string; readonly fresh: string };
  /** A folder outside of all that is searched. */
  readonly scratch: string;
}

interface Sizes {
  /** Account numbers of payouts. */
  readonly canaries: number;
  /** Sealed values that are added for the rotation. */
  readonly rows: number;
}

export interface Played {
  readonly line: string;
  readonly problems: readonly string[];
}

const SAVED = 300;
/** One merchant with ten secrets of each kind for so many canaries. */
const CANARIES_PER_MERCHANT = 100;
/** Planted keys that also call the API, with their secret and with a wrong one. */
const CALLING_KEYS = 50;

/** The control for webhooks and logs, which contain no references: the id of a payout. */
const NAMED = `${CONTROL} id`;

/** The last word of a secret's name tells which one it is; its text must not be printed. */
const nameOf = ({ kind, id }: Planted) => `${kind} ${id}`;

/** Plants everything, and returns what must be readable at the end by the id of its row. */
async function plant({ bridge, scratch }: Stage, sizes: Sizes, needles: Needles, findings: Findings, seed: string) {
  const { world } = bridge;
  const planter = await startPlanter(world.service.variables, join(scratch, "planter.log"));
  const receiver = await startReceiver();
  try {
    const merchant = await planter.run<PlantedMerchant>("merchant");
    const apis = [world.apiFor(merchant.keys.live), world.apiFor(merchant.keys.test)] as const;
    const { id, secret } = await createEndpoint(apis[1], receiver.url);
    const merchants = Math.ceil(sizes.canaries / CANARIES_PER_MERCHANT);
    const saved = Math.min(SAVED, sizes.canaries);
    const planted = [
      ...(await planter.run<Planted[]>("secrets", String(merchants))),
      ...(await planter.run<Planted[]>("recipients", seed, String(saved))),
      { kind: "webhook endpoint", merchantId: merchant.id, id, secret } as const,
    ];
    for (const one of planted) needles.add(nameOf(one), one.secret.replace(/^whsec_/, ""));
    for (const keys of [merchant.keys.test, merchant.keys.live, ...Object.values(bridge.merchant.keys)])
      needles.add(`API key ${keys.publicKey}`, keys.secretKey.slice("sk_test_".length));
    const controls = makeControls((name) => numberOf(seed, name));
    for (const { name, text } of controls) needles.add(name, text);
    const numbers = Array.from({ length: sizes.canaries }, (_, n) => numberOf(seed, `payout ${n}`));
    for (const [n, number] of numbers.entries()) needles.add(`account number ${n}`, number);

    const see = (text: string, place: string) => searchOf(needles, findings, place)(Buffer.from(text));
    const sent = await sendCanaries(apis, numbers, ({ text }) => see(text, "answers"));
    // Last, so that they are on the first pages of lists.
    let named = "";
    for (const api of apis) named = await sendControls(api, controls, ({ text }) => see(text, "answers"));
    needles.add(NAMED, named);
    await apis[1].get(`/payout_intents/${named}`);
    const problems = [...sent.problems];
    for (const { publicKey, secret: secretKey } of planted
      .filter((one) => one.kind === "API key")
      .slice(0, CALLING_KEYS))
      for (const [status, key] of [
        [200, `sk_test_${secretKey}`],
        [401, `sk_test_${secretKey.slice(0, -1)}`],
      ] as const) {
        const answer = await world.apiFor({ publicKey: publicKey ?? "", secretKey: key }).get("/wallets");
        if (answer.status !== status) problems.push(`a planted key was answered ${answer.status}, not ${status}`);
      }
    await planter.run("many recipients", seed, String(sizes.rows));
    const paid = await untilPaid(world.database, merchant.id);
    const expected = sizes.canaries + controls.length * apis.length;
    if (paid !== expected) problems.push(`of ${expected} canary payouts, ${paid} were paid`);
    const receivedIds = () => new Set(receiver.received.map(({ headers }) => headers["webhook-id"] ?? ""));
    problems.push(...(await untilDelivered(world.database, merchant.id, receivedIds)));
    for (const { body, headers } of receiver.received) see(`${JSON.stringify(headers)}\n${body}`, "webhooks");
    const events = receiver.received.length;
    const values = new Map([...sent.payouts, ...planted.map((one) => [one.id, one.secret] as const)]);
    return { merchant, apis, values, problems, events };
  } finally {
    await planter.close();
    await receiver.stop();
  }
}

/** Opens every value with the service's present secrets. */
async function verify(
  { bridge, scratch }: Stage,
  seed: string,
  values: ReadonlyMap<string, string>,
): Promise<Verified> {
  const file = join(scratch, "values.json");
  writeFileSync(file, JSON.stringify(Object.fromEntries(values)), { mode: 0o600 });
  const planter = await startPlanter(bridge.world.service.variables, join(scratch, "planter.log"));
  try {
    return await planter.run<Verified>("verify", seed, file);
  } finally {
    await planter.close();
  }
}

/** Searches what is stored, logged and sent. */
async function searchAll(stage: Stage, merchant: PlantedMerchant, needles: Needles, findings: Findings) {
  const { bridge, server, serverFolder, scratch } = stage;
  const { service, database, apiFor } = bridge.world;
  const see = (place: string) => (text: string, name: string) =>
    searchOf(needles, findings, place, ` ${name}`)(Buffer.from(text));
  for (const environment of ["test", "live"] as const)
    await readLists(apiFor(merchant.keys[environment]), see("lists"));
  await readDocuments(service, merchant.id, see("documents"));
  const exports = await readExports(service, { ...bridge.merchant, id: merchant.id }, see("exports"));
  const tables = await searchDatabase(server.url, needles, findings);
  await database.query("CHECKPOINT");
  await searchFile(logFile(service.dataDir), needles, findings, "log");
  await searchFile(join(scratch, "planter.log"), needles, findings, "log");
  let files = 2;
  for (const folder of [service.dataDir, serverFolder]) files += await searchFolder(folder, needles, findings, "files");
  return { exports, tables, files };
}

/** The places in which the controls must be found, so that a search that finds nothing has really looked. */
const WITH_CONTROLS = ["answers", "lists", "exports", "database", "files"];
const WITH_THE_ID = ["webhooks", "log"];

function missingControls({ controls }: Findings): string[] {
  const inForms = WITH_CONTROLS.flatMap((place) => FORMS.map((form) => `${place}: ${CONTROL} ${form} ${form}`));
  const wanted = [...inForms, ...WITH_THE_ID.map((place) => `${place}: ${NAMED} plain`)];
  return wanted.filter((one) => !controls.has(one)).map((one) => `the search missed what is there: ${one}`);
}

/** Plays it all. Everything that is wrong is a problem; the line has the counts. */
export async function playSecrets(stage: Stage, sizes: Sizes): Promise<Played> {
  const { bridge, secrets } = stage;
  const { service } = bridge.world;
  const [needles, findings, seed] = [createNeedles(), noFindings(), randomBytes(16).toString("hex")];
  const { merchant, apis, values, problems, events } = await plant(stage, sizes, needles, findings, seed);
  const rotated = await rotateUnderLoad(bridge, secrets);
  problems.push(...(await judgeWrites(bridge, rotated.written)));
  problems.push(...rotated.left.map((column) => `after the rewrap, ${column} needs the old secret`));
  if (rotated.unreadable > 0) problems.push(`the rewrap could not read ${rotated.unreadable} values`);
  if (rotated.rows < sizes.rows + sizes.canaries) problems.push(`the rewrap moved only ${rotated.rows} values`);
  for (const api of apis) await api.get("/wallets");
  await untilRehashed(bridge, merchant.id, rotated.oldKeyId);
  await removeOldSecret(bridge, secrets);
  await bridge.world.reconnect();
  const verified = await verify(stage, seed, values);
  if (verified.unreadable > 0) problems.push(`${verified.unreadable} values need the removed secret`);
  if (verified.different > 0) problems.push(`${verified.different} values are not what was planted`);
  if (verified.readable < rotated.rows / 2) problems.push(`only ${verified.readable} values were opened`);
  const searched = await searchAll(stage, merchant, needles, findings);
  problems.push(...findings.hits, ...missingControls(findings));
  for (const check of [["invariants"], ["audit", "verify"]])
    await commandsOf(service)(...check).catch((error: unknown) =>
      problems.push(`${check.join(" ")}: ${String(error)}`),
    );
  const line = [
    `secrets: ${needles.count} secrets, ${sizes.canaries} of them account numbers of payouts`,
    `${findings.hits.size} hits in ${searched.tables} tables, ${searched.files} files, ${events} webhooks, ${searched.exports} exports, ${(findings.bytes / 2 ** 20).toFixed(0)} MiB`,
    `${rotated.rows} values rewrapped in ${(rotated.ms / 1_000).toFixed(0)} s beside ${rotated.written.length} writes`,
    `${verified.readable} readable without the old secret, ${verified.unreadable} not`,
  ].join("; ");
  return { line, problems };
}
