// Connects to receivers only at addresses that were checked during the same connection.
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { MUST_BE_PUBLIC, mayConnectTo, type ReceiverPolicy } from "./address-policy";
import { ReceiverRefusal } from "./answer";
import { type Resolve, resolveReceiver } from "./resolve";

/** Time limit of a connection attempt; its request may end earlier. */
const CONNECT_TIMEOUT_MS = 15_000;
/** Delay before trying the next address; Node's 250 ms is short for a receiver on another continent. */
const NEXT_ADDRESS_AFTER_MS = 1_000;

export interface ConnectSettings {
  readonly policy: ReceiverPolicy;
  readonly resolve: Resolve;
  /** Certificate authorities, in PEM, to trust instead of Node's. */
  readonly authorities?: string;
}

function refused(error: "dns" | "refused_address", why: string): ReceiverRefusal {
  return new ReceiverRefusal({ error, detail: `The endpoint's URL ${why}.` });
}

/**
 * Returns a connector for undici. The socket's lookup returns only addresses that passed. Node calls no lookup for
 * literals, so these are checked before. The socket's remote address is checked after connecting.
 */
export function createConnector({ policy, resolve, authorities }: ConnectSettings): buildConnector.connector {
  const answer = async (host: string, all: boolean, callback: Parameters<LookupFunction>[2]): Promise<void> => {
    const resolution = await resolveReceiver(host, policy, resolve);
    if (!resolution.ok) return callback(refused(resolution.error, resolution.why), "");
    if (all) return callback(null, [...resolution.addresses]);
    callback(null, resolution.addresses[0].address, resolution.addresses[0].family);
  };
  const lookup: LookupFunction = (host, options, callback) => void answer(host, options.all === true, callback);
  const connect = buildConnector({
    lookup,
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    allowH2: false,
    ...(authorities === undefined ? {} : { ca: authorities }),
  });
  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && !mayConnectTo(options.hostname, policy))
      return queueMicrotask(() => callback(refused("refused_address", MUST_BE_PUBLIC), null));
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (mayConnectTo(socket.remoteAddress ?? "", policy)) return callback(null, socket);
      socket.destroy();
      callback(refused("refused_address", MUST_BE_PUBLIC), null);
    });
  };
}
