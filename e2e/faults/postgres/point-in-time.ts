// The drill of docs/backups.md: the database's machine is lost, and the database is restored from its backups by the scripts
// of docs/deployment. Merchants repeat what it has lost, the operator reconciles and resumes, and nothing is paid twice.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bridge, openBridge } from "../../rest/bridge";
import { cliWith } from "../../support/cli";
import { onDatabase } from "../../support/service";
import { type ArchivedServer, startArchivedServer } from "./archived-server";
import { judge } from "./judge";
import { repeat, startLoad, type Written } from "./load";
import { metBy, type PlayedFault, until } from "./play";

const WRITES = 30;
/** Longer than a worker waits before it sends an approved payout. */
const SENT_WITHIN_MS = 3_000;
/** Between two writes and a target in whole milliseconds. */
const PAUSE_MS = 200;
/** Shorter than the minute of compose.yaml, so that the drill is. */
const ARCHIVED_EVERY_S = 5;

async function load(bridge: Bridge, writes = WRITES): Promise<readonly Written[]> {
  const running = startLoad(bridge);
  await until(() => running.count() >= writes);
  return running.stop();
}

/** Imports what the provider executed, as its settlement file says; returns how many lines our books lack. */
async function reconcile({ world, psp }: Bridge): Promise<number> {
  const executed = await psp.record({ event: "executed", kind: "payouts" });
  const lines = executed.map(({ reference, amount, currency, at }, index) =>
    [`line-${index}`, "payout", reference, reference, amount, currency, "0", at].join(","),
  );
  const folder = mkdtempSync(join(tmpdir(), "sluice-drill-"));
  const file = join(folder, "settlement.csv");
  writeFileSync(
    file,
    ["line_id,kind,reference,provider_reference,amount,currency,fee,settled_at", ...lines, ""].join("\n"),
  );
  try {
    const words = ["reconcile", "--provider", "fakepsp", "--file", file];
    const { counts } = await cliWith<{ counts: { missing_internal: number } }>(world.service.variables, ...words);
    return counts.missing_internal;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Stage {
  readonly server: ArchivedServer;
  readonly bridge: Bridge;
}

async function withStage(play: (stage: Stage) => Promise<PlayedFault>): Promise<PlayedFault> {
  const server = await startArchivedServer(["-c", `archive_timeout=${ARCHIVED_EVERY_S}`]);
  try {
    const database = onDatabase(server.url);
    const bridge = await openBridge({ database, env: { IDEMPOTENCY_LEASE_SECONDS: "1" } });
    try {
      return await play({ server, bridge });
    } finally {
      await bridge.close();
    }
  } finally {
    await server.close();
  }
}

const isPaused = async ({ world }: Bridge) =>
  ((await world.cli("dispatch", "show")) as { payouts_paused_by_restore: boolean }).payouts_paused_by_restore;

async function payoutsIn({ world }: Bridge, written: readonly Written[]): Promise<Set<string>> {
  const rows = await world.database.query<{ reference: string }>(
    `SELECT merchant_reference AS reference FROM payout_intent WHERE merchant_reference = ANY($1)
     UNION ALL SELECT merchant_reference FROM payment_intent WHERE merchant_reference = ANY($1)
     UNION ALL SELECT merchant_reference FROM topup_intent WHERE merchant_reference = ANY($1)`,
    written.map(({ reference }) => reference),
  );
  return new Set(rows.map(({ reference }) => reference));
}

/** The restore has lost the approvals of its last seconds too: people give them again. Returns how many. */
async function approveAgain({ world, approve }: Bridge): Promise<number> {
  const waiting = await world.database.query<{ id: string }>(
    "SELECT id FROM payout_intent WHERE status = 'requires_approval'",
  );
  for (const { id } of waiting) await approve(id);
  return waiting.length;
}

/** After the restore of the database: starts the service, repeats what is lost, reconciles, resumes, and judges. */
async function goOn(bridge: Bridge, kept: readonly Written[], lost: readonly Written[], sinceMs: number, what: string) {
  const { world, psp } = bridge;
  const problems: string[] = [];
  await world.service.restart();
  await world.reconnect();
  const recoveryMs = Math.round(performance.now() - sinceMs);
  if (!(await isPaused(bridge))) problems.push("payouts are not paused after the restore");
  const executed = async () => (await psp.record({ event: "executed" })).length;
  const before = await executed();
  const retried = await repeat(bridge, lost);
  const approvedAgain = await approveAgain(bridge);
  await sleep(SENT_WITHIN_MS);
  if ((await executed()) !== before) problems.push("the provider was sent payouts before dispatch was resumed");
  await world.cli("dispatch", "resume", "--reason", "Drill: restored and reconciled");
  problems.push(...(await judge(bridge, [...kept, ...retried])));
  const unknown = await reconcile(bridge);
  if (unknown !== 0) problems.push(`after the drill, our books lack ${unknown} lines of the provider`);
  return {
    proof: `${what}; ${approvedAgain} lost approvals; ready again ${(recoveryMs / 1_000).toFixed(1)} s after the loss`,
    ...metBy([...kept, ...lost, ...retried]),
    recoveryMs,
    problems,
  };
}

/** A mistake at a known time: the database goes back to just before it. */
export function playPointInTime(): Promise<PlayedFault> {
  return withStage(async ({ server, bridge }) => {
    const early = await load(bridge);
    server.backUp();
    const late = await load(bridge);
    const problems = await judge(bridge, [...early, ...late]);
    await sleep(PAUSE_MS);
    const target = await server.now();
    await sleep(PAUSE_MS);
    const lost = await load(bridge);
    problems.push(...(await judge(bridge, lost)));
    await server.archived();

    await server.lose();
    const lostAt = performance.now();
    await server.restore(target);
    const kept = [...early, ...late];
    await bridge.world.reconnect();
    const found = await payoutsIn(bridge, [...kept, ...lost]);
    const missing = kept.filter(({ reference }) => !found.has(reference));
    if (missing.length > 0) problems.push(`${missing.length} writes before the target are missing`);
    const surplus = lost.filter(({ reference }) => found.has(reference));
    if (surplus.length > 0) problems.push(`${surplus.length} writes after the target are still there`);
    const played = await goOn(
      bridge,
      kept,
      lost,
      lostAt,
      `${lost.length} writes after the target were undone and repeated`,
    );
    return { ...played, problems: [...problems, ...played.problems] };
  });
}

/** The machine is lost under load, with what it had not archived. */
export function playLostMachine(): Promise<PlayedFault> {
  return withStage(async ({ server, bridge }) => {
    const early = await load(bridge);
    server.backUp();
    const timed: { readonly written: readonly Written[]; readonly endedAt: number }[] = [];
    const startedAt = performance.now();
    // Some writes are older than the archive's delay, and some are not.
    while (performance.now() - startedAt < 4 * ARCHIVED_EVERY_S * 1_000)
      timed.push({ written: await load(bridge, 10), endedAt: performance.now() });
    await server.lose();
    const lostAt = performance.now();
    await server.restore();
    await bridge.world.reconnect();
    const all = timed.flatMap(({ written }) => written);
    const found = await payoutsIn(bridge, [...early, ...all]);
    const isFound = ({ reference }: Written) => found.has(reference);
    const firstLost = timed.find(({ written }) => !written.every(isFound));
    const lossS = firstLost ? (lostAt - firstLost.endedAt) / 1_000 : 0;
    const lost = all.filter((one) => !isFound(one));
    const what = `${lost.length} of ${all.length} writes were lost, none older than ${lossS.toFixed(1)} s with an archive every ${ARCHIVED_EVERY_S} s`;
    const played = await goOn(bridge, [...early, ...all.filter(isFound)], lost, lostAt, what);
    const isEarlyLost = early.some((one) => !isFound(one));
    return { ...played, problems: [...(isEarlyLost ? ["writes before the backup are lost"] : []), ...played.problems] };
  });
}
