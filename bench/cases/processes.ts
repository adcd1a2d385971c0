// The gain of a second web process: the same load on one process, and shared by two.
import type { Bench, Section } from "../bench";
import { overHttp, service } from "../contestants";
import { databaseSeconds } from "../database";
import { DATABASE_SHARE, ONE_PROCESS, SEVERAL_CREATE, SEVERAL_READ, TWO_PROCESSES } from "../names";
import { cpuSecondsOf } from "../proc";
import type { Contestant } from "../rounds";
import type { Round } from "../statistics";
import { chooseSubject } from "../subject";
import { creating, creation } from "./creates";

const CONNECTIONS = [32];

/** Merges two concurrent loads into one result; its latencies are those of the slower half. */
function together([a, b]: readonly [Round, Round]): Round {
  return {
    rate: a.rate + b.rate,
    p50: Math.max(a.p50, b.p50),
    p99: Math.max(a.p99, b.p99),
    done: a.done + b.done,
    failed: a.failed + b.failed,
  };
}

/** The same requests, half of them by each of two. */
function shared(name: string, first: Contestant, second: Contestant): Contestant {
  return {
    ...first,
    name,
    async run(connections, seconds) {
      const half = Math.ceil(connections / 2);
      return together(await Promise.all([first.run(half, seconds), second.run(half, seconds)]));
    },
    cpuSeconds() {
      const [one, other] = [first.cpuSeconds?.() ?? null, second.cpuSeconds?.() ?? null];
      return one === null || other === null ? null : one + other;
    },
  };
}

async function measureProcesses({ stage, measure, note }: Bench): Promise<void> {
  const beside = await stage.startBeside({});
  try {
    const { ids } = await chooseSubject(stage);
    let turn = 0;
    const reading = {
      authorization: stage.reader.authorization,
      next: () => ({ method: "GET" as const, path: `/v1/payment_intents/${ids[turn++ % ids.length] ?? ""}` }),
    };
    const other = { name: TWO_PROCESSES, baseUrl: beside.baseUrl, pid: beside.pid };
    const pairs: readonly (readonly [name: string, here: Contestant, there: Contestant])[] = [
      [
        SEVERAL_CREATE,
        creating(stage),
        overHttp({ ...other, authorization: stage.writer.authorization, next: creation }),
      ],
      [SEVERAL_READ, overHttp({ ...service(stage), ...reading }), overHttp({ ...other, ...reading })],
    ];
    for (const [name, here, there] of pairs) {
      const contestants = [{ ...here, name: ONE_PROCESS }, shared(TWO_PROCESSES, here, there)];
      const before = [await databaseSeconds(stage), cpuSecondsOf(stage.service.pid), cpuSecondsOf(beside.pid)];
      await measure({ name, connections: CONNECTIONS, contestants });
      const after = [await databaseSeconds(stage), cpuSecondsOf(stage.service.pid), cpuSecondsOf(beside.pid)];
      const [database = 0, ...web] = after.map((seconds, n) => (seconds ?? Number.NaN) - (before[n] ?? Number.NaN));
      const share = (100 * database) / web.reduce((sum, seconds) => sum + seconds, database);
      if (Number.isFinite(share)) note({ name: `${name}: ${DATABASE_SHARE}`, value: share, unit: "%" });
    }
  } finally {
    await beside.dispose();
  }
}

export const processSection: Section = { name: "processes", run: measureProcesses };
