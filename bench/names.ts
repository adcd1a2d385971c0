// The names of the contestants, by which goals and tables find them.
import { PGBENCH } from "./limit/pgbench";

const LIMIT = PGBENCH ? "pgbench" : "bare pg loop";

export const SLUICE = "Sluice";
export const LIMIT_STATEMENTS = `${LIMIT}, statement by statement`;
export const LIMIT_CTE = `${LIMIT}, one CTE per commit`;
export const LIMIT_READ = LIMIT;
export const FASTIFY_STATEMENTS = "Fastify + pg, statement by statement";
export const FASTIFY_CTE = "Fastify + pg, one CTE per commit";
export const FASTIFY_READ = "Fastify + pg";
export const TYPICAL = "Next route handler + Prisma";

export const CREATE = "create payment";
export const CREATE_DATABASE_CPU = "CPU of Postgres per create, 32 connections";
export const REPLAY = "idempotent replay";
export const READ = "read by id";
export const LIST = "list, first page";
export const DEEP_LIST = "list, 1,000 pages deep";
export const PAYOUTS_MANY = "create payout, 50 wallets";
export const PAYOUTS_ONE = "create payout, one wallet";
export const CANCEL = "cancel payout";

export const DELIVERIES = "webhook deliveries, a backlog to a fast receiver";
export const BARE_POSTS = "bare undici loop, signed before, nothing stored";
export const FIRST_ATTEMPT_P50 = "event to first attempt at 500 events a second, p50";
export const FIRST_ATTEMPT_P99 = "event to first attempt at 500 events a second, p99";
export const HEALTHY_P50 = "healthy receivers beside hostile ones, event to first attempt, p50";
export const HEALTHY_P99 = "healthy receivers beside hostile ones, event to first attempt, p99";
export const LOST = "deliveries lost beside hostile receivers";

/** Prefix of the cases of filtered lists. */
export const FILTERED = "list by ";

export function firstPage(rows: number): string {
  return `Sluice, ${rows.toLocaleString("en")} rows, first page`;
}

export function deepPage(rows: number): string {
  return `Sluice, ${rows.toLocaleString("en")} rows, 1,000 pages deep`;
}

export const MEMORY_SLOPE = "web process, memory over creates";
export const MEMORY_PEAK = "web process, most memory ever";
export const COLD_START = "cold start to ready";
export const WARM_START = "warm npm start to ready";
export const WEB_START = "web process start beside a running database";
export const NAVIGATION = "dashboard, from a click to the page with its data";
export const FIRST_VISIT = "dashboard, the same at the first visit of a page";
export const LATE_ANSWER = "late answer of the provider to the GET that shows it";

export const REAPED_CREATE = "create payment, old rows";
export const REAPED_READ = "read by id, old rows";
export const UNDISTURBED = "Sluice, nothing to reap";
export const WHILE_REAPING = "Sluice, while reaping";

export const SEVERAL_CREATE = "create payment, several web processes";
export const SEVERAL_READ = "read by id, several web processes";
export const ONE_PROCESS = "Sluice, one web process";
export const TWO_PROCESSES = "Sluice, two web processes";
export const DATABASE_SHARE = "the database's share of the CPU";
