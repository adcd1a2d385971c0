// The contestants: an HTTP server, or the bare limit, each with its rows and its CPU time.
import type { LimitTask } from "./limit/task";
import { type HttpRequest, sendLoad } from "./load";
import { SLUICE } from "./names";
import { cpuSecondsOf } from "./proc";
import { runLimit } from "./processes";
import type { Contestant } from "./rounds";
import type { Stage } from "./stage";
import type { Subject } from "./subject";

export async function countOf(stage: Stage, table: string, merchantId: string): Promise<number> {
  const sql = `SELECT count(*)::int AS n FROM ${table} WHERE merchant_id = $1`;
  const [row] = await stage.database.query<{ n: number }>(sql, merchantId);
  return row?.n ?? 0;
}

export interface HttpContestant {
  readonly name: string;
  readonly baseUrl: string;
  readonly pid: number;
  readonly authorization: string;
  readonly next: () => HttpRequest;
  readonly countRows?: () => Promise<number>;
}

/** The service's address and process, under its name. */
export function service(stage: Stage): { name: string; baseUrl: string; pid: number } {
  const { baseUrl, pid } = stage.service;
  return { name: SLUICE, baseUrl, pid };
}

export function overHttp({ name, baseUrl, pid, authorization, next, countRows }: HttpContestant): Contestant {
  return {
    name,
    run: (connections, seconds) => sendLoad({ baseUrl, authorization, connections, seconds, next }),
    ...(countRows ? { countRows } : {}),
    cpuSeconds: () => cpuSecondsOf(pid),
  };
}

/** The limit. It writes for the writing merchant, and reads the reading merchant's payments. */
export function bareLimit(stage: Stage, name: string, work: LimitTask["work"], subject: Subject): Contestant {
  const isWriting = work === "statements" || work === "cte";
  return {
    name,
    run: (connections, seconds) =>
      runLimit({
        url: stage.databaseUrl,
        samplePath: stage.samplePath,
        work,
        connections,
        seconds,
        merchantId: stage.reader.id,
        ...subject,
      }),
    ...(isWriting ? { countRows: () => countOf(stage, "peer.payment_intent", stage.writer.id) } : {}),
  };
}
