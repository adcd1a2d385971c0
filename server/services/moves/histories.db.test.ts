// Histories of merchants that work while they are moved, drawn by chance. What callers were told is the only measure.
import { randomBytes } from "node:crypto";
import { expect, it, vi } from "vitest";
import { sizeOf, tier } from "@/e2e/support/tier";
import { reachEveryMerchant } from "@/server/platform/reach";
import { catchStandardError } from "@/server/testing/standard-error";
import { type PlayedHistory, playHistory } from "./testing/histories/play";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";
process.env.REFERENCE_KEY = randomBytes(32).toString("base64");

/**
 * MOVE_HISTORY plays the history of a seed again, or MOVE_HISTORIES of them from there. What runs at once interleaves otherwise each
 * time.
 */
const given = process.env["MOVE_HISTORY"];
const usual = given ? 1 : sizeOf({ representative: 3, deep: 100 });
const HISTORIES = Number(process.env["MOVE_HISTORIES"] ?? usual);
const FIRST_SEED = Number(given ?? sizeOf({ representative: 3, deep: Math.floor(Date.now() / 1_000) }));

/** Whether the run says what each history did. */
const isTold = given !== undefined || tier === "deep";

/** Each happens in every run, or the run proves less than it says. */
const ACTS = [
  "writes",
  "replays",
  "refusals",
  "answers after a refusal",
  "acts beside a move",
  "moves",
  "kills",
  "moves that stood still",
  "aborts",
  "callbacks",
  "restores",
];

// A bound for what hangs.
vi.setConfig({ testTimeout: 4 * 3_600_000, hookTimeout: 120_000 });

it(`${HISTORIES} histories from seed ${FIRST_SEED} lose and double nothing`, async () => {
  reachEveryMerchant();
  catchStandardError();
  const played: PlayedHistory[] = [];
  for (let at = 0; at < HISTORIES; at += 1) {
    const startedAt = performance.now();
    const history = await playHistory(FIRST_SEED + at);
    played.push(history);
    if (isTold)
      process.stdout.write(
        `history ${history.seed}: ${Math.round(performance.now() - startedAt)} ms; ${JSON.stringify(Object.fromEntries(history.counts))}; ${history.problems.join(" | ")}\n`,
      );
  }
  const failed = played.filter(({ problems }) => problems.length > 0);
  expect(failed.map(({ seed, problems, acts }) => ({ seed, problems, acts }))).toEqual([]);
  const counts = new Map<string, number>();
  for (const history of played)
    for (const [name, count] of history.counts) counts.set(name, (counts.get(name) ?? 0) + count);
  if (isTold) process.stdout.write(`move histories: ${HISTORIES}; ${JSON.stringify(Object.fromEntries(counts))}\n`);
  const demanded = given ? [] : ACTS;
  expect(demanded.filter((name) => !counts.has(name))).toEqual([]);
});
