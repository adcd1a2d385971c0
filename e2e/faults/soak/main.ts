// `npm run soak -- [--minutes 120]`: half of what the service can do, with faults, for hours; prints how memory, descriptors,
// waiting work and the database have grown. Its samples stay in the file `--samples`, one JSON line each.
import { appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { judge } from "../postgres/judge";
import { startLoad } from "../postgres/load";
import { openDatabaseStage } from "../postgres/play";
import { reportOf } from "./report";
import { type Sample, takeSample } from "./sample";

const CAPACITY_MS = 20_000;
const SAMPLE_EVERY_MS = 15_000;
const RULE_EVERY_MS = 1_000;
const FAULT_EVERY_MS = 60_000;
/** One fault in so many kills a session like a crash. That ends all sessions, and autovacuum's counts are lost. */
const CRASH_EVERY = 20;
const DRAINED_WITHIN_MS = 60_000;
/** The limits, judged only after a run that is long enough to tell. */
const MEMORY_MIB_AN_HOUR = 2;
const TELLING_MINUTES = 60;
const DRAINED_SECONDS = 2;

const MODES = ["execute_then_drop", "garbage", "delay", "drop", "server_error"] as const;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "120" },
    samples: { type: "string", default: join(tmpdir(), `sluice-soak-${process.pid}.jsonl`) },
  },
});
const minutes = Number(values.minutes);
const print = (line: string) => process.stdout.write(`${line}\n`);

const stage = await openDatabaseStage({ env: { PROVIDER_DEADLINE_MS: "2000" } });
const { bridge, server } = stage;
const { world, psp } = bridge;
const samples: Sample[] = [];
const faults = { provider: 0, sessions: 0, crashes: 0 };
let problems: string[] = [];
try {
  const warm = startLoad(bridge);
  await sleep(CAPACITY_MS);
  const perSecond = warm.count() / (CAPACITY_MS / 1_000) / 2;
  const written = [...(await warm.stop())];
  print(`half of ${(perSecond * 2).toFixed(0)} writes a second, for ${minutes} min; samples in ${values.samples}`);

  const load = startLoad(bridge, perSecond);
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > minutes * 60_000;
  const every = async (ms: number, work: () => Promise<void>) => {
    for (await sleep(ms); !isOver(); await sleep(ms)) await work();
  };
  /** As an administrator or a failing network does. */
  const endOneSession = async () => {
    await world.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY state_change DESC LIMIT 1`,
    );
  };
  const sample = async () => {
    // After a crash of the database, its connection is broken until it accepts again.
    const taken = await takeSample(world, startedAt).catch(async () => {
      await server.accepting();
      return takeSample(world, startedAt);
    });
    samples.push(taken);
    appendFileSync(values.samples, `${JSON.stringify(taken)}\n`);
  };
  await Promise.all([
    every(SAMPLE_EVERY_MS, sample),
    every(RULE_EVERY_MS, async () => {
      const mode = MODES[faults.provider % MODES.length] ?? "drop";
      await psp.misbehave({ mode, ms: 500, times: 1 });
      faults.provider += 1;
    }),
    every(FAULT_EVERY_MS, async () => {
      faults.sessions += 1;
      if (faults.sessions % CRASH_EVERY !== 0) return endOneSession();
      faults.crashes += 1;
      await server.killOneSession();
      await server.accepting();
    }),
  ]);
  written.push(...(await load.stop()));
  await psp.behave();
  await world.reconnect();
  for (const end = performance.now() + DRAINED_WITHIN_MS; performance.now() < end; await sleep(1_000)) {
    await sample();
    if ((samples.at(-1)?.lagSeconds ?? 0) < DRAINED_SECONDS) break;
  }
  problems = await judge(bridge, written);
} finally {
  await stage.close();
}

const report = reportOf(samples);
const slopes = Object.entries(report.memorySlopes);
if (report.lastLagSeconds >= DRAINED_SECONDS) problems.push(`the lag has stayed at ${report.lastLagSeconds} s`);
if (report.minutes >= TELLING_MINUTES)
  for (const [name, slope] of slopes)
    if (slope > MEMORY_MIB_AN_HOUR) problems.push(`the memory of ${name} grows by ${slope.toFixed(1)} MiB an hour`);
for (const problem of problems) print(`✗ ${problem}`);
print(
  [
    `soak: ${report.minutes.toFixed(0)} min, ${report.intents} intents, ${faults.sessions} sessions ended, ${faults.crashes} of them by a crash of the database, ${faults.provider} faults of the provider`,
    `memory ${slopes.map(([name, slope]) => `${name} ${slope.toFixed(1)}`).join(", ")} MiB/h`,
    `${report.descriptorsGained} descriptors gained`,
    `lag at most ${report.worstLagSeconds.toFixed(1)} s, at the end ${report.lastLagSeconds.toFixed(1)} s`,
    `${report.gibPerMillionIntents.toFixed(2)} GiB per million intents`,
    `at most ${report.worstDeadRows.toFixed(2)} dead rows for a live one, ${report.lastIndexBytes.toFixed(2)} bytes of indexes for a byte of tables`,
    `${problems.length} problems`,
  ].join("; "),
);
process.exit(problems.length === 0 ? 0 : 1);
