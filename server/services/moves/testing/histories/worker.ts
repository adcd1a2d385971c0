// The work of a worker in the cells of a history: the rounds of its loops, one after the other.
import { allCells, type Cell, inCell } from "@/server/platform/cell";
import { asServiceError } from "@/server/services/outage";
import { LOOPS } from "@/server/worker/run";
import { sql } from "../three-cells";
import type { Stage } from "./stage";

/** Plays one round of each loop of a worker in a cell; returns how much it found. A failed round is repeated by the next one. */
export async function workIn(stage: Stage, cell: Cell): Promise<number> {
  let found = 0;
  for (const { name, round, finish } of LOOPS) {
    try {
      found += await inCell(cell, round);
      if (finish) await inCell(cell, finish);
    } catch (error) {
      if (!asServiceError(error)) stage.problems.push(`the loop ${name} failed in ${cell.name}: ${String(error)}`);
    }
  }
  stage.count("rounds of a worker");
  return found;
}

/** What waits for a later time: polls, retries, and claims whose worker could not record their end. */
const WAITING = [
  "UPDATE payment_intent SET due_at = now() - interval '1 second' WHERE due_at > now()",
  "UPDATE payout_intent SET due_at = now() - interval '1 second' WHERE due_at > now()",
  "UPDATE provider_callback SET due_at = now() - interval '1 second' WHERE due_at > now()",
  "UPDATE delivery SET due_at = now() - interval '1 second' WHERE due_at > now() AND state = 'pending'",
];

const MOST_ROUNDS = 8;

/** Works in all cells until nothing is left to do that is due. */
export async function workUntilQuiet(stage: Stage): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = await Promise.all(allCells().map((cell) => workIn(stage, cell)));
    if (found.every((count) => count === 0)) break;
  }
}

const FEWEST_PASSES = 2;
const MOST_PASSES = 12;

/**
 * The same, also for what waits for a later time. At least twice: a claim that ends may lead to a poll, and that to an event. A round
 * sends few webhooks to an endpoint, so it goes on until none waits.
 */
export async function workOffEverything(stage: Stage): Promise<void> {
  for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
    for (const cell of allCells()) for (const text of WAITING) await sql(cell, text);
    await workUntilQuiet(stage);
    if (pass >= FEWEST_PASSES && !(await isAnyDeliveryPending())) return;
  }
}

async function isAnyDeliveryPending(): Promise<boolean> {
  for (const cell of allCells()) {
    const pending = await sql(cell, "SELECT FROM delivery WHERE state = 'pending' LIMIT 1");
    if (pending.length > 0) return true;
  }
  return false;
}
