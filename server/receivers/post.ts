// Sends one signed body to an untrusted receiver: checked address, one deadline, size-limited answer.
import { Agent } from "undici";
import { checkReceiverUrl, type ReceiverPolicy } from "./address-policy";
import type { DeliveryAnswer } from "./answer";
import { createConnector } from "./connect";
import { Exchange } from "./exchange";
import { type Resolve, resolveByDns } from "./resolve";

const USER_AGENT = "Sluice-Webhooks/1";
const MAXIMUM_HEADER_BYTES = 16 * 1024;
/** Long enough for a burst; shorter than receivers' keep-alive, or the next message would find a closed connection. */
const KEEP_ALIVE_MS = 1_000;

export interface ReceiverRequest {
  readonly url: string;
  /** In addition to content type, user agent and accept-encoding, which every request has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly policy: ReceiverPolicy;
  /** Covers lookup, connecting, headers and body together, in ms. */
  readonly deadlineMs: number;
}

export interface ReceiverClient {
  /** Resolves for any behavior of the receiver; rejects with the signal's reason if it aborts. */
  post(request: ReceiverRequest, signal?: AbortSignal): Promise<DeliveryAnswer>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/**
 * Returns a client with its own connections: one per post in flight, closed one second after the last post. Does not
 * follow redirects or decompress answers. `authorities` is PEM to trust instead of Node's.
 */
export function createReceiverClient(settings: {
  readonly resolve: Resolve;
  readonly authorities?: string;
}): ReceiverClient {
  // A connection made under one rule must not serve the other.
  const agents = new Map<boolean, Agent>();
  const agentFor = (policy: ReceiverPolicy): Agent => {
    let agent = agents.get(policy.allowLoopback);
    if (!agent) {
      agent = new Agent({
        connect: createConnector({ ...settings, policy }),
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS,
        maxHeaderSize: MAXIMUM_HEADER_BYTES,
      });
      agents.set(policy.allowLoopback, agent);
    }
    return agent;
  };
  return {
    post: async ({ url: text, headers, body, policy, deadlineMs }, signal) => {
      const checked = checkReceiverUrl(text, policy);
      if (!checked.ok) return refusedAnswer(checked.why);
      const { origin, pathname, search } = checked.url;
      const exchange = new Exchange(deadlineMs, signal);
      agentFor(policy).dispatch(
        { origin, path: pathname + search, method: "POST", headers: { ...STANDARD_HEADERS, ...headers }, body },
        exchange,
      );
      return exchange.settled;
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
      agents.clear();
    },
  };
}

const STANDARD_HEADERS = {
  accept: "*/*",
  "accept-encoding": "identity",
  "content-type": "application/json",
  "user-agent": USER_AGENT,
};

function refusedAnswer(why: string): DeliveryAnswer {
  const detail = `The endpoint's URL ${why}.`;
  return {
    kind: "failed",
    status: null,
    durationMs: 0,
    body: "",
    retryAfterMs: null,
    error: "refused_address",
    detail,
  };
}

let shared: ReceiverClient | undefined;

/** Posts one body as JSON over the process's shared connections; see `ReceiverClient.post`. Serves interface §6. */
export function postToReceiver(request: ReceiverRequest, signal?: AbortSignal): Promise<DeliveryAnswer> {
  shared ??= createReceiverClient({ resolve: resolveByDns });
  return shared.post(request, signal);
}
