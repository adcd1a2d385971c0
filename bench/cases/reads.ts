// The reading cases: an earlier answer, one payment, the first page, the page after 1,000 pages.
import type { Peers, Section } from "../bench";
import { bareLimit, overHttp, service } from "../contestants";
import type { HttpRequest } from "../load";
import { DEEP_LIST, FASTIFY_READ, LIMIT_READ, LIST, READ, REPLAY, TYPICAL } from "../names";
import type { Peer } from "../processes";
import type { Case, Contestant } from "../rounds";
import type { Stage } from "../stage";
import { chooseSubject, DEEP_PAGES, type Subject, walkToDeepCursor } from "../subject";
import { creation } from "./creates";

const PATH = "/v1/payment_intents";
const CONNECTIONS = [32];

/** The 100 replayed requests, repeated. */
function replayCase(stage: Stage): Case {
  const earlier = Array.from({ length: 100 }, creation);
  let n = 0;
  const next = () => earlier[n++ % earlier.length] as HttpRequest;
  const { authorization } = stage.writer;
  return {
    name: REPLAY,
    connections: CONNECTIONS,
    contestants: [overHttp({ ...service(stage), authorization, next })],
  };
}

interface Questions {
  readonly work: "read" | "list" | "deep";
  readonly ours: () => HttpRequest;
  readonly theirs: () => HttpRequest;
  /** If it differs from the hand-written server's. */
  readonly typical?: () => HttpRequest;
}

function contestants(stage: Stage, peers: Peers, subject: Subject, questions: Questions): Contestant[] {
  const { work, ours, theirs, typical = theirs } = questions;
  // The peers know one key; at their start they receive the merchant whose payments they read.
  const peer = (name: string, { baseUrl, pid }: Peer, next: () => HttpRequest): Contestant => ({
    ...overHttp({ name, baseUrl, pid, authorization: stage.writer.authorization, next }),
    mayFail: true,
  });
  return [
    overHttp({ ...service(stage), authorization: stage.reader.authorization, next: ours }),
    bareLimit(stage, LIMIT_READ, work, subject),
    peer(FASTIFY_READ, peers.statements, theirs),
    peer(TYPICAL, peers.typical, typical),
  ];
}

async function readCases(stage: Stage, peers: Peers): Promise<Case[]> {
  const subject = await chooseSubject(stage);
  const cursor = await walkToDeepCursor(`${stage.service.baseUrl}${PATH}`, stage.reader.authorization);
  const theirCursor = Buffer.from(JSON.stringify(subject.deep)).toString("base64url");
  const at = (path: string) => (): HttpRequest => ({ method: "GET", path });
  const byId = (): HttpRequest => {
    const id = subject.ids[Math.floor(Math.random() * subject.ids.length)] ?? "";
    return { method: "GET", path: `${PATH}/${id}` };
  };
  const caseOf = (name: string, questions: Questions): Case => ({
    name,
    connections: CONNECTIONS,
    contestants: contestants(stage, peers, subject, questions),
  });
  return [
    caseOf(READ, { work: "read", ours: byId, theirs: byId }),
    caseOf(LIST, { work: "list", ours: at(PATH), theirs: at(PATH) }),
    caseOf(DEEP_LIST, {
      work: "deep",
      ours: at(`${PATH}?cursor=${cursor ?? ""}`),
      theirs: at(`${PATH}?cursor=${theirCursor}`),
      typical: at(`${PATH}?offset=${DEEP_PAGES * 25}`),
    }),
  ];
}

export const replaySection: Section = {
  name: "replay",
  run: ({ stage, measure }) => measure(replayCase(stage)),
};

export const readSection: Section = {
  name: "read",
  async run({ stage, peers, measure }) {
    for (const one of await readCases(stage, await peers())) await measure(one);
  },
};
