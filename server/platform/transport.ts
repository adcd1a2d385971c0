// Where the service may use plain text: on this machine, or wherever the operator allows it.
import { BlockList, isIP } from "node:net";
import { parseUrl } from "./url";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** The modes that encrypt every connection. `prefer` and `allow` permit plain text. */
const ENCRYPTED_MODES: ReadonlySet<string> = new Set(["require", "verify-ca", "verify-full"]);

const ALLOWED_BY = "or set ALLOW_INSECURE=true if a private network protects the connection";

/** Returns true if the host is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  const family = isIP(host);
  return family !== 0 && LOOPBACK.check(host, family === 6 ? "ipv6" : "ipv4");
}

/** The last value counts, as in pg, for a parameter that is given several times. */
function lastParameter({ searchParams }: URL, name: string): string | null {
  return searchParams.getAll(name).at(-1) ?? null;
}

/** A socket file has a path, escaped in the place of a host name. */
function isLocalDatabase(url: URL, defaultHost: string | null): boolean {
  const host = lastParameter(url, "host") || url.hostname || defaultHost || "localhost";
  return /^(?:\/|%2f)/i.test(host) || isLoopback(host);
}

export interface Transport {
  readonly baseUrl: string | null;
  /** Other services that receive secrets or personal data, by the name of their variable. */
  readonly others: Readonly<Record<string, string | null>>;
  /** Addresses of the database, by the name of their variable. */
  readonly databases: Readonly<Record<string, string | null>>;
  /** Host of an address of the database without one (PGHOST). */
  readonly databaseHost: string | null;
}

/** Returns the faults of addresses that would carry secrets in plain text over a network; skips invalid ones. */
export function transportFaults({ baseUrl, others, databases, databaseHost }: Transport): string[] {
  const faults: string[] = [];
  for (const [name, address] of Object.entries({ BASE_URL: baseUrl, ...others })) {
    const url = parseUrl(address ?? "");
    if (url?.protocol === "http:" && !isLoopback(url.hostname))
      faults.push(`${name} must be https outside this machine; ${ALLOWED_BY}`);
  }
  for (const [name, address] of Object.entries(databases)) {
    const url = parseUrl(address ?? "");
    if (!url?.protocol.startsWith("postgres") || isLocalDatabase(url, databaseHost)) continue;
    if (!ENCRYPTED_MODES.has(lastParameter(url, "sslmode") ?? ""))
      faults.push(`${name} of another machine must have sslmode=verify-full, verify-ca or require; ${ALLOWED_BY}`);
  }
  return faults;
}
