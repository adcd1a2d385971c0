// Creating payments, compared with every contestant that writes the same rows.
import { randomUUID } from "node:crypto";
import type { Bench, Peers, Section } from "../bench";
import { bareLimit, countOf, overHttp, service } from "../contestants";
import { databaseSeconds } from "../database";
import type { HttpRequest } from "../load";
import {
  CREATE,
  CREATE_DATABASE_CPU,
  FASTIFY_CTE,
  FASTIFY_STATEMENTS,
  LIMIT_CTE,
  LIMIT_STATEMENTS,
  TYPICAL,
} from "../names";
import type { Peer } from "../processes";
import type { Case, Contestant } from "../rounds";
import { paymentBody, type Stage } from "../stage";
import { chooseSubject, type Subject } from "../subject";

/** The other servers are compared at many connections; at few, the measure is the limit's latency. */
const PEERS_FROM_CONNECTIONS = 32;

/** A payment with its own key and merchant reference. */
export function creation(): HttpRequest {
  const id = randomUUID();
  return { method: "POST", path: "/v1/payment_intents", key: `key-${id}`, body: paymentBody(`order-${id}`) };
}

/** Sluice creating payments. */
export function creating(stage: Stage): Contestant {
  const { authorization, id } = stage.writer;
  return overHttp({
    ...service(stage),
    authorization,
    next: creation,
    countRows: () => countOf(stage, "payment_intent", id),
  });
}

function createCase(stage: Stage, peers: Peers, subject: Subject, connections: readonly number[]): Case {
  const { authorization } = stage.writer;
  const countRows = () => countOf(stage, "peer.payment_intent", stage.writer.id);
  const peer = (name: string, { baseUrl, pid }: Peer): Contestant => ({
    ...overHttp({ name, baseUrl, pid, authorization, next: creation, countRows }),
    mayFail: true,
    fromConnections: PEERS_FROM_CONNECTIONS,
  });
  return {
    name: CREATE,
    connections,
    contestants: [
      creating(stage),
      bareLimit(stage, LIMIT_STATEMENTS, "statements", subject),
      bareLimit(stage, LIMIT_CTE, "cte", subject),
      peer(FASTIFY_STATEMENTS, peers.statements),
      peer(FASTIFY_CTE, peers.cte),
      peer(TYPICAL, peers.typical),
    ],
  };
}

const CPU_CONNECTIONS = 32;

/** The database's CPU time per create: in a load of its own, while the other servers are idle. */
async function measureDatabaseCpu({ stage, options, note }: Bench): Promise<void> {
  const before = await databaseSeconds(stage);
  const { done } = await creating(stage).run(CPU_CONNECTIONS, options.settings.seconds);
  const after = await databaseSeconds(stage);
  if (before === null || after === null || done === 0) return;
  const value = ((after - before) * 1_000) / done;
  note({ name: CREATE_DATABASE_CPU, value, unit: "ms", note: "with what the worker does meanwhile" });
}

export const createSection: Section = {
  name: "create",
  async run(bench) {
    const { stage, options, peers, measure } = bench;
    await measure(createCase(stage, await peers(), await chooseSubject(stage), options.connections));
    await measureDatabaseCpu(bench);
  },
};
