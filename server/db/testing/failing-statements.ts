// Makes one statement of this process fail in Postgres, by number: a lost lock race or a timeout at any place of a call.
import { Client } from "pg";
import { vi } from "vitest";

/** What Postgres reports of a statement that a retry may save: lost lock races, timeouts, ended transactions and sessions. */
const RETRYABLE = ["40001", "40P01", "55P03", "57014", "25P03", "53300", "57P01"];

const raise = (code: string) => `DO $$ BEGIN RAISE EXCEPTION 'injected' USING ERRCODE = '${code}'; END $$`;

/** A statement as `pg` takes it: a text, a configuration or a query object. */
interface Statement {
  text?: string;
  name?: string | undefined;
  values?: unknown[];
}

export interface FailingStatement {
  /** The SQLSTATE of the failure. */
  readonly code: string;
  /** True once the statement was sent. */
  wasSent(): boolean;
  restore(): void;
}

/** Makes the n-th statement from now on fail, counted from 0; a failed COMMIT has no effect. */
export function failStatement(n: number): FailingStatement {
  const code = RETRYABLE[n % RETRYABLE.length] as string;
  const own = Client.prototype.query as (this: Client, ...given: unknown[]) => unknown;
  let sent = 0;
  const spy = vi.spyOn(Client.prototype, "query").mockImplementation(function (this: Client, ...given: unknown[]) {
    const [first, ...rest] = given;
    sent += 1;
    if (sent !== n + 1) return own.apply(this, given) as never;
    if (typeof first === "string") return own.call(this, raise(code), ...rest) as never;
    const failing: Statement = Object.assign(first as Statement, { text: raise(code), name: undefined, values: [] });
    return own.call(this, failing, ...rest) as never;
  } as never);
  return { code, wasSent: () => sent > n, restore: () => spy.mockRestore() };
}

/** Empties the caches of this process, so that a call reads everything. */
export function clearCaches(): void {
  const { sluiceCaches } = globalThis as typeof globalThis & { sluiceCaches?: Map<string, { clear(): void }> };
  for (const cache of sluiceCaches?.values() ?? []) cache.clear();
}
