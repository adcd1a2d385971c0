// Sending one signed body to a receiver that nobody trusts: checked address, one deadline, a capped answer.
import { Agent } from "undici";
import { checkReceiverUrl, type ReceiverPolicy } from "./address-policy";
import type { DeliveryAnswer } from "./answer";
import { createConnector } from "./connect";
import { Exchange } from "./exchange";
import { type Resolve, resolveByDns } from "./resolve";

const USER_AGENT = "Sluice-Webhooks/1";
const MAXIMUM_HEADER_BYTES = 16 * 1024;
/** Long enough for a burst; shorter than any receiver keeps its side, or our next message would meet a closed door. */
const KEEP_ALIVE_MS = 1_000;

export interface ReceiverRequest {
  readonly url: string;
  /** Besides what every request carries: content type, user agent and the refusal of compression. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly policy: ReceiverPolicy;
  /** For everything together: looking up, connecting, headers and body. */
  readonly deadlineMs: number;
}

export interface ReceiverClient {
  /** Never rejects for what a receiver does; rejects with the signal's reason when it is aborted. */
  post(request: ReceiverRequest, signal?: AbortSignal): Promise<DeliveryAnswer>;
  /** Drops all connections. */
  close(): Promise<void>;
}

/**
 * A client with connections of its own: as many to one origin as there are posts under way, none for longer than a
 * second after the last. Redirects are not followed and compressed answers not unpacked. `authorities` is PEM to trust
 * instead of the usual authorities.
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
