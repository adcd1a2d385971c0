// The goals: each one's measurement, target and result.
import {
  BARE_POSTS,
  CANCEL,
  CREATE,
  CREATE_DATABASE_CPU,
  DEEP_LIST,
  DELIVERIES,
  FASTIFY_READ,
  FILTERED,
  FIRST_ATTEMPT_P50,
  FIRST_ATTEMPT_P99,
  HEALTHY_P99,
  LATE_ANSWER,
  LIMIT_CTE,
  LIMIT_READ,
  LIMIT_STATEMENTS,
  LIST,
  LOST,
  MEMORY_PEAK,
  MEMORY_SLOPE,
  NAVIGATION,
  PAYOUTS_MANY,
  PAYOUTS_ONE,
  READ,
  REPLAY,
  SLUICE,
  TYPICAL,
  WARM_START,
  WEB_START,
} from "./names";
import type { Results } from "./results";
import type { Measured } from "./rounds";

export interface Verdict {
  readonly goal: string;
  readonly wanted: string;
  /** Null if not measured in this run. */
  readonly measured: number | null;
  readonly met: boolean | null;
  /** What the comparison is based on, if the two do not do the same work. */
  readonly beside: string;
}

type Found = Pick<Results, "measured" | "figures">;
type Reading = (found: Found) => number | null;

interface Goal {
  readonly goal: string;
  readonly wanted: string;
  readonly beside: string;
  readonly value: Reading;
  readonly isMet: (value: number) => boolean;
}

const BARE = "no HTTP, JSON, credentials, validation, provider, triggers or foreign keys there";
const BY_HAND = "no idempotency, provider, triggers or foreign keys there";
const OURSELVES = "both are Sluice";
const ALONE = "";

function find({ measured }: Found, name: string, contestant: string, connections: number): Measured | null {
  const isIt = (one: Measured) => one.case === name && one.contestant === contestant && one.connections === connections;
  return measured.find(isIt) ?? null;
}

/** Our rate in a case divided by a contestant's, or by a contestant's rate in another case. */
function ratio(name: string, connections: number, contestant: string, other = name): Reading {
  return (found) => {
    const mine = find(found, name, SLUICE, connections);
    const theirs = find(found, other, contestant, connections);
    return mine && theirs && theirs.rate > 0 ? mine.rate / theirs.rate : null;
  };
}

/** The latency of our median create above 1.5 × that of the CTE form, in ms. */
function latency(connections: number): Reading {
  return (found) => {
    const mine = find(found, CREATE, SLUICE, connections);
    const theirs = find(found, CREATE, LIMIT_CTE, connections);
    return mine && theirs ? mine.p50 - 1.5 * theirs.p50 : null;
  };
}

/** The p99 of our deep page, relative to that of the first one. */
function deepList(found: Found): number | null {
  const [deep, first] = [find(found, DEEP_LIST, SLUICE, 32), find(found, LIST, SLUICE, 32)];
  return deep && first ? deep.p99 / first.p99 : null;
}

/** The largest p99 of any filter over many rows, relative to the first page of the same filter over few rows. */
function worstFilter(page: string): Reading {
  return ({ measured }) => {
    const ratios = measured
      .filter((one) => one.case.startsWith(FILTERED) && one.contestant.endsWith(page))
      .flatMap((one) => {
        const [few] = measured.filter((other) => other.case === one.case);
        return few && few !== one ? [one.p99 / few.p99] : [];
      });
    return ratios.length > 0 ? Math.max(...ratios) : null;
  };
}

function figure(name: string): Reading {
  return ({ figures }) => figures.find((one) => one.name === name)?.value ?? null;
}

function atLeast(goal: string, least: number, beside: string, value: Reading): Goal {
  return { goal, wanted: `≥ ${least} ×`, beside, value, isMet: (measured) => measured >= least };
}

function atMost(goal: string, most: number, unit: string, beside: string, value: Reading): Goal {
  return { goal, wanted: `≤ ${most} ${unit}`, beside, value, isMet: (measured) => measured <= most };
}

const under = (connections: number) => `${connections} connections`;

/** `ofCte` is the share of the CTE form's rate: at few connections, batches are small. */
function createGoals(connections: number, ofCte: number): Goal[] {
  const others = [
    [LIMIT_STATEMENTS, 1.5, BARE],
    [LIMIT_CTE, ofCte, BARE],
    [TYPICAL, 10, BY_HAND],
  ] as const;
  return others.map(([other, least, beside]) =>
    atLeast(`${CREATE} ÷ ${other}, ${under(connections)}`, least, beside, ratio(CREATE, connections, other)),
  );
}

const GOALS: readonly Goal[] = [
  ...createGoals(32, 0.8),
  ...createGoals(128, 1),
  ...[1, 8].map((connections) =>
    atMost(`${CREATE}, p50 − 1.5 × that of ${LIMIT_CTE}, ${under(connections)}`, 1, "ms", BARE, latency(connections)),
  ),
  atMost("CPU of the web process per create, 32 connections", 0.2, "ms", "without the database's", (found) => {
    return find(found, CREATE, SLUICE, 32)?.cpuMsPerRequest ?? null;
  }),
  atMost(CREATE_DATABASE_CPU, 0.22, "ms", "with the audit chain", figure(CREATE_DATABASE_CPU)),
  atLeast(`${PAYOUTS_MANY} ÷ ${CREATE}`, 0.9, OURSELVES, ratio(PAYOUTS_MANY, 32, SLUICE, CREATE)),
  atLeast(`${PAYOUTS_ONE} ÷ ${CREATE}`, 0.7, OURSELVES, ratio(PAYOUTS_ONE, 32, SLUICE, CREATE)),
  atLeast(`${CANCEL} ÷ ${CREATE}`, 0.8, OURSELVES, ratio(CANCEL, 32, SLUICE, CREATE)),
  atLeast(`${REPLAY} ÷ ${CREATE}`, 2, OURSELVES, ratio(REPLAY, 32, SLUICE, CREATE)),
  atLeast(`${READ} ÷ ${FASTIFY_READ}`, 1.3, "one known key there", ratio(READ, 32, FASTIFY_READ)),
  atLeast(`${READ} ÷ ${LIMIT_READ}`, 0.2, BARE, ratio(READ, 32, LIMIT_READ)),
  atLeast(`${LIST} ÷ ${FASTIFY_READ}`, 1, "one known key there", ratio(LIST, 32, FASTIFY_READ)),
  atMost(`${DEEP_LIST}: p99 ÷ first page`, 1.3, "×", OURSELVES, deepList),
  atMost("worst filter over many rows, first page: p99 ÷ few rows", 1.3, "×", OURSELVES, worstFilter("first page")),
  atMost("worst filter over many rows, deep: p99 ÷ few rows", 1.3, "×", OURSELVES, worstFilter("deep")),
  atLeast(`${DELIVERIES} ÷ ${BARE_POSTS}`, 0.4, "signing, claims, records", ratio(DELIVERIES, 40, BARE_POSTS)),
  atMost(FIRST_ATTEMPT_P50, 50, "ms", ALONE, figure(FIRST_ATTEMPT_P50)),
  atMost(FIRST_ATTEMPT_P99, 1_000, "ms", ALONE, figure(FIRST_ATTEMPT_P99)),
  atMost(HEALTHY_P99, 2_000, "ms", ALONE, figure(HEALTHY_P99)),
  atMost(LOST, 0, "deliveries", ALONE, figure(LOST)),
  atMost(`${LATE_ANSWER}, p99`, 1_000, "ms", ALONE, figure(`${LATE_ANSWER}, p99`)),
  atMost(MEMORY_SLOPE, 5, "MiB per 100,000", ALONE, figure(MEMORY_SLOPE)),
  atMost(MEMORY_PEAK, 350, "MiB", ALONE, figure(MEMORY_PEAK)),
  atMost(NAVIGATION, 200, "ms", ALONE, figure(NAVIGATION)),
  atMost(WARM_START, 5, "s", ALONE, figure(WARM_START)),
  atMost(WEB_START, 1.5, "s", ALONE, figure(WEB_START)),
];

/** Every goal with the measurement of this run. */
export function verdicts(found: Found): Verdict[] {
  return GOALS.map(({ goal, wanted, beside, value, isMet }) => {
    const measured = value(found);
    return { goal, wanted, beside, measured, met: measured === null ? null : isMet(measured) };
  });
}
