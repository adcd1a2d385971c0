// Plays one history of clients under faults, and compares what came of it with the provider's record.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PROJECT_ROOT } from "../../support/service-process";
import type { DatabaseStage } from "../postgres/play";
import { playClients } from "./clients";
import { type Disturbance, disturb } from "./disturber";
import { compare, moneyOf, readRows } from "./oracle";
import { createSightings } from "./sightings";
import { readStates } from "./states";

export interface PlayedHistory extends Disturbance {
  readonly operations: number;
  /** Answers 503. */
  readonly unavailable: number;
  /** Connections that ended without an answer. */
  readonly broken: number;
  /** Statuses that answers and events showed, each held against those seen before. */
  readonly sightings: number;
  /** Lists that were read to their end while others wrote. */
  readonly walks: number;
}

const CLIENTS = 8;
/** The interface's bound for a 503, and what a loaded machine adds. */
const ANSWERED_WITHIN_MS = 5_000 + 1_500;
/**
 * How long faults may follow each other without a definite answer. On a busy machine, a service that is killed every second may not
 * get that far; it must once nothing fails any more.
 */
const FAILS_WITHOUT_ANSWER_MS = 15_000;
const SETTLES_WITHIN_MS = 120_000;
const PAUSE_MS = 250;

/** Waits until nothing differs from the record any more; returns what still does after two minutes. */
async function untilSettled(stage: DatabaseStage, differences: () => Promise<string[]>): Promise<string[]> {
  const { world } = stage.bridge;
  for (const end = Date.now() + SETTLES_WITHIN_MS; ; await sleep(PAUSE_MS)) {
    const found = await differences();
    if (found.length === 0 || Date.now() > end) return found;
    // What waits for its next look is looked at now.
    for (const table of ["payment_intent", "payout_intent", "topup_intent"])
      await world.database.query(
        `UPDATE ${table} SET due_at = now() - interval '1 second'
         WHERE id IN (SELECT id FROM ${table} WHERE due_at > now() FOR UPDATE SKIP LOCKED)`,
      );
  }
}

const STATES = readStates(readFileSync(join(PROJECT_ROOT, "docs/states.md"), "utf8"));

/** Plays a history of that many operations. `draw` returns a random whole number below its argument. */
export async function playHistory(
  stage: DatabaseStage,
  draw: (below: number) => number,
  operations: number,
): Promise<PlayedHistory> {
  const { bridge } = stage;
  const before = await moneyOf(bridge);
  const sightings = createSightings(STATES);
  let [isOver, answeredAt] = [false, performance.now()];
  const mayFail = () => performance.now() - answeredAt < FAILS_WITHOUT_ANSWER_MS;
  const disturbing = disturb(stage, draw, { isOver: () => isOver, mayFail });
  const onAnswered = () => {
    answeredAt = performance.now();
  };
  const story = await playClients(bridge, draw, { clients: CLIENTS, operations, sightings, onAnswered });
  isOver = true;
  const disturbance = await disturbing;
  await bridge.psp.behave();
  await bridge.world.reconnect();
  const { attempts, created } = story;
  const differences = async () => {
    const since = performance.now();
    const rows = await readRows(bridge, created);
    for (const { kind, id, status } of rows) sightings.see({ kind, id, status, by: "the database" }, since);
    return compare(bridge, created, rows, before);
  };
  const unsettled = await untilSettled(stage, differences);
  const problems = [
    ...story.problems,
    ...disturbance.problems,
    ...attempts.filter(({ status }) => status >= 500 && status !== 503).map(({ status }) => `an answer was ${status}`),
    ...attempts
      .filter(({ status, hasRetryAfter }) => status === 503 && !hasRetryAfter)
      .map(() => "an answer 503 had no Retry-After"),
    ...attempts.filter(({ ms }) => ms > ANSWERED_WITHIN_MS).map(({ ms }) => `an answer took ${Math.round(ms)} ms`),
    ...unsettled,
    ...sightings.problems,
  ];
  for (const check of [["invariants"], ["audit", "verify"]])
    await bridge.world.cli(...check).catch((error: unknown) => problems.push(`${check.join(" ")}: ${String(error)}`));
  return {
    ...disturbance,
    operations: story.operations,
    unavailable: attempts.filter(({ status }) => status === 503).length,
    broken: attempts.filter(({ status }) => status === 0).length,
    sightings: sightings.count,
    walks: story.walks,
    problems,
  };
}
