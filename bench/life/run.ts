// `npm run bench -- life`: finds the highest rate of whole payment lives that the service sustains, runs it for the
// minutes asked for, checks every life, and writes what a life costs.
import { setTimeout as sleep } from "node:timers/promises";
import { PROJECT_ROOT } from "@/e2e/support/service-process";
import { creating } from "../cases/creates";
import { CREATE } from "../names";
import { untilQuiet } from "../quiet";
import { type Measured, messageOf, runCase } from "../rounds";
import type { Party } from "../stage";
import { surroundings } from "../surroundings";
import { growingQueues } from "./backlog";
import type { Course } from "./course";
import { findRate, highestSustained, type Probe } from "./finder";
import { isSustained, type LoadResult, sendLives, untilEnded } from "./load";
import { type Cost, costPerLife, readMeters, STATISTICS_LATE_MS } from "./meters";
import { type LifeOptions, readLifeOptions } from "./options";
import { measurePeerLives, type PeerLives } from "./peer";
import { type LifeResults, lifeLines, writeLifeReport } from "./report";
import { type Scene, setScene } from "./scene";
import { countLifeRows, faultsOf } from "./verify";

/** In a probe everything happens sooner, so that lives also end during a short one. */
const PROBE_COURSE: Course = { expiresAfterMs: 10_000, paidFromMs: 500, paidToMs: 8_000 };
const COURSE: Course = { expiresAfterMs: 60_000, paidFromMs: 2_000, paidToMs: 50_000 };

const WARM_UP = { rate: 50, seconds: 15 };
/** All lives of a load have ended within this time after its last one may end. */
const END_WITHIN_SECONDS = 30;
/** The long run's share of the highest rate that a probe sustained. */
const LONG_RUN_SHARE = 0.9;

const CREATES = { rounds: 3, seconds: 5, warmUpSeconds: 2 };
const CREATE_CONNECTIONS = 32;

async function probe(scene: Scene, { firstRate, mostProbes, probeSeconds }: LifeOptions): Promise<Probe[]> {
  const parties = await scene.addMerchants("probe");
  await scene.follow(PROBE_COURSE);
  const run = (rate: number, seconds: number) => {
    const task = { parties, rate, seconds, sampleEveryMs: 1_000, sampledAfterMs: PROBE_COURSE.expiresAfterMs };
    return isSustained(scene, task, PROBE_COURSE.expiresAfterMs / 1_000 + END_WITHIN_SECONDS);
  };
  await run(WARM_UP.rate, WARM_UP.seconds);
  return findRate(firstRate, mostProbes, (rate) => run(rate, probeSeconds));
}

interface LongRun {
  readonly parties: readonly Party[];
  readonly load: LoadResult;
  readonly cost: Cost;
  readonly faults: readonly string[];
  readonly polls: number;
  readonly mostPolls: number;
  readonly retriedCallbacks: number;
}

async function runLong(scene: Scene, rate: number, minutes: number): Promise<LongRun> {
  const parties = await scene.addMerchants("life");
  await scene.follow(COURSE);
  await sleep(STATISTICS_LATE_MS);
  await Promise.all([scene.readBook(), scene.readArrivals()]);
  const before = await readMeters(scene);
  const sampledAfterMs = Math.min(COURSE.expiresAfterMs, minutes * 20_000);
  const load = await sendLives(scene, { parties, rate, seconds: minutes * 60, sampleEveryMs: 5_000, sampledAfterMs });
  await untilEnded(scene, parties, COURSE.expiresAfterMs / 1_000 + 2 * END_WITHIN_SECONDS);
  await sleep(STATISTICS_LATE_MS);
  const after = await readMeters(scene);
  const [book, arrivals] = await Promise.all([scene.readBook(), scene.readArrivals()]);
  const rows = await countLifeRows(scene.stage, parties);
  return {
    parties,
    load,
    cost: costPerLife(before, after, load.lives),
    faults: faultsOf(load.lives, rows, arrivals.filter((arrival) => arrival.startsWith("/life/")).length),
    polls: book.polls / load.lives,
    mostPolls: book.mostPolls,
    retriedCallbacks: book.retriedCallbacks,
  };
}

/** The rate of the usual create case, in the same run. */
async function measureCreates({ stage }: Scene): Promise<Measured> {
  const measured: Measured[] = [];
  const created = { name: CREATE, connections: [CREATE_CONNECTIONS], contestants: [creating(stage)] };
  const quiet = () => untilQuiet(stage.database);
  await runCase(created, CREATES, quiet, (one) => measured.push(one));
  const [result] = measured;
  if (!result) throw new Error("no creates were measured");
  return result;
}

/** pgbench is only compared with: its failure is shown, and the lives are reported without it. */
async function comparePgbench({ stage }: Scene, parties: readonly Party[]): Promise<PeerLives | null> {
  try {
    return await measurePeerLives(stage, parties);
  } catch (error) {
    process.stderr.write(`pgbench FAILED: ${messageOf(error)}\n`);
    return null;
  }
}

async function measure(scene: Scene, options: LifeOptions): Promise<LifeResults> {
  const probes = options.rate === null ? await probe(scene, options) : [];
  const highest = highestSustained(probes);
  const rate = options.rate ?? Math.round((highest ?? 0) * LONG_RUN_SHARE);
  if (rate === 0) throw new Error("no probe was sustained; give a lower --first-rate");
  process.stdout.write(`${rate} lives a second for ${options.minutes} minutes\n`);
  const { parties, load, cost, faults, ...counts } = await runLong(scene, rate, options.minutes);
  const growing = growingQueues(load.samples, rate);
  const creates = await measureCreates(scene);
  const peer = await comparePgbench(scene, parties);
  return {
    minutes: options.minutes,
    probes,
    rate,
    lives: load.lives,
    createP50: load.p50,
    createP99: load.p99,
    samples: load.samples,
    growing,
    faults,
    ...counts,
    cost,
    creates,
    peer,
  };
}

/** Runs the bench and writes its results; returns the exit status. */
export async function runLife(words: readonly string[]): Promise<number> {
  try {
    const options = readLifeOptions(words);
    const scene = await setScene();
    try {
      const results = await measure(scene, options);
      writeLifeReport(PROJECT_ROOT, await surroundings(scene.stage, PROJECT_ROOT), results);
      process.stdout.write(`\n${lifeLines(results)}\n`);
      return results.faults.length + results.growing.length > 0 ? 1 : 0;
    } finally {
      await scene.close();
    }
  } catch (error) {
    process.stderr.write(`FAILED: ${messageOf(error)}\n`);
    return 1;
  }
}
