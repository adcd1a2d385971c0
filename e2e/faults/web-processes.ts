// Requests to a service of several web processes, each on a connection of its own, and who answered them by the log.
import { once } from "node:events";
import { type Agent, type IncomingMessage, request } from "node:http";
import type { World } from "../rest/world";
import { basicAuthorization } from "../support/api";
import type { ApiKey } from "../support/merchant";

/** The client's timeout: longer than any answer takes on a busy machine. */
const PATIENCE_MS = 20_000;

/** An answer as it was received. */
export interface Raw {
  readonly status: number;
  readonly text: string;
  readonly requestId: string;
}

interface Sent {
  readonly body?: object;
  /** The Idempotency-Key. */
  readonly key?: string;
  /** Keeps the connection for later requests; without it, the request has a connection of its own. */
  readonly agent?: Agent;
}

export interface WebProcesses {
  /** Sends a request; throws if its connection ends without an answer, or after 20 s. */
  send(method: string, path: string, key: ApiKey, sent?: Sent): Promise<Raw>;
  /** Process id → its request ids, by the log. */
  requestsByProcess(): Map<number, Set<string>>;
  /** The processes that sent the answers, without requests that got none. */
  answerersOf(answers: readonly Raw[]): number[];
}

/** Returns the web processes of the world's service. */
export function webProcessesOf(world: World): WebProcesses {
  function requestsByProcess(): Map<number, Set<string>> {
    const found = new Map<number, Set<string>>();
    for (const line of world.service.logs.split("\n")) {
      if (!line.includes('"msg":"request"')) continue;
      const { pid, requestId } = JSON.parse(line) as { pid: number; requestId: string };
      found.set(pid, (found.get(pid) ?? new Set()).add(requestId));
    }
    return found;
  }

  return {
    async send(method, path, key, sent = {}) {
      const headers = {
        authorization: basicAuthorization(key),
        ...(sent.agent ? {} : { connection: "close" }),
        ...(sent.body ? { "content-type": "application/json" } : {}),
        ...(sent.key ? { "idempotency-key": sent.key } : {}),
      };
      const options = { method, headers, agent: sent.agent ?? false, timeout: PATIENCE_MS };
      const message = request(`${world.service.baseUrl}/v1${path}`, options);
      message.once("timeout", () => message.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
      message.end(sent.body ? JSON.stringify(sent.body) : undefined);
      const [answer] = (await once(message, "response")) as [IncomingMessage];
      let text = "";
      for await (const chunk of answer.setEncoding("utf8")) text += chunk as string;
      return { status: answer.statusCode ?? 0, text, requestId: String(answer.headers["request-id"]) };
    },
    requestsByProcess,
    answerersOf(answers) {
      const ids = new Set(answers.map(({ requestId }) => requestId));
      return [...requestsByProcess()].filter(([, own]) => [...own].some((id) => ids.has(id))).map(([pid]) => pid);
    },
  };
}
