// `npm run soak -- [--minutes 120]`: half of what the service can sustain, with faults, for hours; prints how memory,
// descriptors, waiting work and the database have grown. Its samples stay in the file `--samples`, one JSON line each.
import { appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { judge } from "../postgres/judge";
import { startLoad, type Written } from "../postgres/load";
import { openDatabaseStage } from "../postgres/play";
import { openLiveMemory } from "./live-memory";
import { startPeople } from "./people";
import { reportOf } from "./report";
import { type Sample, takeSample } from "./sample";

const CAPACITY_SECONDS = 30;
/** Longer than payers take, so that everything happens that follows from a write. */
const PROBE_SECONDS = 90;
/** The next rate to try, when work has waited for too long. */
const SLOWER = 0.7;
const SLOWEST_PER_SECOND = 2;
const SAMPLE_EVERY_MS = 15_000;
/** Every eighth sample, so each two minutes, collects garbage, which takes a process some 100 ms. */
const COLLECT_EVERY = 8;
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

const memory = openLiveMemory();
const stage = await openDatabaseStage({ env: { PROVIDER_DEADLINE_MS: "2000", ...memory.variables } });
const { bridge, server } = stage;
const { world, psp } = bridge;
const people = await startPeople(bridge, Math.random);
let written: readonly Written[] = [];
const samples: Sample[] = [];
const faults = { provider: 0, sessions: 0, crashes: 0 };
let problems: string[] = [];

/** Writes while `during` runs, at this rate or as fast as there are answers; returns the rate of answers. */
async function write(during: () => Promise<unknown>, perSecond = Number.POSITIVE_INFINITY): Promise<number> {
  const from = performance.now();
  const load = startLoad(bridge, { perSecond, onCreated: people.created });
  await during();
  const rate = load.count() / ((performance.now() - from) / 1_000);
  // Hundreds of thousands: too many for the arguments of a call.
  written = [...written, ...(await load.stop())];
  return rate;
}

async function lagOf(): Promise<number> {
  return (await takeSample(world, 0)).lagSeconds;
}

/** Calls `look` once a second until no work is late, for a minute at most. */
async function untilDrained(look: () => Promise<number>): Promise<void> {
  for (const end = performance.now() + DRAINED_WITHIN_MS; performance.now() < end; await sleep(1_000))
    if ((await look()) < DRAINED_SECONDS) return;
}

/** The highest of some rates at which what follows from the writes is not late: payments, events, polls. */
async function sustainedRate(): Promise<number> {
  let rate = await write(() => sleep(CAPACITY_SECONDS * 1_000));
  print(`${rate.toFixed(0)} writes a second, for a short time`);
  for (; ; rate *= SLOWER) {
    await untilDrained(lagOf);
    await write(() => sleep(PROBE_SECONDS * 1_000), rate);
    const lagSeconds = await lagOf();
    print(`${rate.toFixed(0)} writes a second: work is ${lagSeconds.toFixed(1)} s late`);
    if (lagSeconds < DRAINED_SECONDS || rate < SLOWEST_PER_SECOND) return rate;
  }
}

/** As an administrator or a failing network does. */
async function endOneSession(): Promise<void> {
  await world.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY state_change DESC LIMIT 1`,
  );
}

/** Takes samples and causes faults for the whole run. Returns what takes another sample. */
async function disturb(): Promise<() => Promise<number>> {
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > minutes * 60_000;
  const every = async (ms: number, work: () => Promise<unknown>) => {
    for (await sleep(ms); !isOver(); await sleep(ms)) await work();
  };
  const sample = async () => {
    // After a crash of the database, its connection is broken until it accepts again.
    const collecting = samples.length % COLLECT_EVERY === 0 ? memory : undefined;
    const taken = await takeSample(world, startedAt, collecting).catch(async () => {
      await server.accepting();
      return takeSample(world, startedAt, collecting);
    });
    samples.push(taken);
    appendFileSync(values.samples, `${JSON.stringify(taken)}\n`);
    return taken.lagSeconds;
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
  return sample;
}

/** Every event with a receiver has reached it. */
async function judgeDeliveries(): Promise<string[]> {
  const [row] = await world.database.query<{ events: number }>(
    "SELECT count(*)::int AS events FROM event WHERE merchant_id = $1 AND environment = 'test'",
    bridge.merchant.id,
  );
  const [events, received] = [row?.events ?? 0, people.received()];
  return events === received ? [] : [`of ${events} events, the receiver has ${received}`];
}

try {
  const perSecond = (await sustainedRate()) / 2;
  print(`${perSecond.toFixed(0)} writes a second for ${minutes} min; samples in ${values.samples}`);
  let sample = lagOf;
  await write(async () => {
    sample = await disturb();
  }, perSecond);
  await psp.behave();
  await world.reconnect();
  await untilDrained(sample);
  problems = [...(await judge(bridge, written)), ...(await judgeDeliveries())];
} finally {
  await people.stop();
  await stage.close();
  memory.close();
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
    `memory without garbage ${slopes.map(([name, slope]) => `${name} ${slope.toFixed(1)}`).join(", ")} MiB/h`,
    `${report.descriptorsGained} descriptors gained`,
    `lag at most ${report.worstLagSeconds.toFixed(1)} s, at the end ${report.lastLagSeconds.toFixed(1)} s`,
    `${report.gibPerMillionIntents.toFixed(2)} GiB per million intents`,
    `at most ${report.worstDeadRows.toFixed(2)} dead rows for a live one, ${report.lastIndexBytes.toFixed(2)} bytes of indexes for a byte of tables`,
    `${problems.length} problems`,
  ].join("; "),
);
process.exit(problems.length === 0 ? 0 : 1);
