// The API key of the command line: from the environment, or from a file that only its owner can read.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandFailure } from "./failure.js";

export const DEFAULT_URL = "http://localhost:3000";

type Environment = "test" | "live";
type Variables = Readonly<Record<string, string | undefined>>;

export interface Credentials {
  /** Origin of the service. */
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly secretKey: string;
}

const PUBLIC = /^pk_(test|live)_(?:[a-z0-9]+_)?[A-Za-z0-9]+$/;
const SECRET = /^sk_(test|live)_[A-Za-z0-9]+$/;

/** The environment that a key is of. */
export function environmentOf({ publicKey }: Pick<Credentials, "publicKey">): Environment {
  return publicKey.startsWith("pk_live_") ? "live" : "test";
}

/** Parses `pk_…:sk_…`. Throws without showing the text. */
export function parseKey(text: string): Pick<Credentials, "publicKey" | "secretKey"> {
  const [publicKey = "", secretKey = "", ...rest] = text.trim().split(":");
  const environment = PUBLIC.exec(publicKey)?.[1];
  if (environment === undefined || SECRET.exec(secretKey)?.[1] !== environment || rest.length > 0)
    throw new CommandFailure("usage", "A key is pk_…:sk_…, the public and the secret key of one environment.");
  return { publicKey, secretKey };
}

/** A port of this machine without `http://`, as `--forward-to` takes it. */
const PORT_HERE = /^(?:localhost|127(?:\.\d+){3}|\[::1\]):\d+(?:\/|$)/;

/** Parses the address of a service and returns its origin. `localhost:3000` is http. Throws usage. */
export function parseUrl(address: string): string {
  const text = PORT_HERE.test(address) ? `http://${address}` : address;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw new CommandFailure("usage", "The address of the service is a URL such as https://pay.example.");
  return url.origin;
}

/** True if others on the network could read the key. */
export function isReadableOnTheWay(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The file of the stored key, as the XDG base directories say. */
export function credentialsFile(env: Variables): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "sluice", "credentials.json");
}

/** Stores the key, readable by its owner alone. A crash leaves the former file or the new one. */
export function storeCredentials(env: Variables, credentials: Credentials): string {
  const file = credentialsFile(env);
  const { baseUrl: base_url, publicKey: public_key, secretKey: secret_key } = credentials;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify({ base_url, public_key, secret_key }, null, 2)}\n`, {
    mode: 0o600,
    flag: "wx",
  });
  // The umask may have removed the owner's own permissions.
  chmodSync(draft, 0o600);
  renameSync(draft, file);
  return file;
}

/** Removes the stored key. Returns false if there was none. */
export function removeCredentials(env: Variables): boolean {
  const file = credentialsFile(env);
  const existed = statSync(file, { throwIfNoEntry: false }) !== undefined;
  rmSync(file, { force: true });
  return existed;
}

function storedCredentials(env: Variables): Credentials | null {
  const file = credentialsFile(env);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return null;
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0)
    throw new CommandFailure("unusable_file", `Others can read ${file}. Roll the key, and run sluice login again.`);
  try {
    const stored = JSON.parse(readFileSync(file, "utf8")) as Record<"base_url" | "public_key" | "secret_key", string>;
    return { baseUrl: parseUrl(stored.base_url), ...parseKey(`${stored.public_key}:${stored.secret_key}`) };
  } catch {
    throw new CommandFailure("unusable_file", `${file} has no usable key. Run sluice login again.`);
  }
}

/** The key of the environment's variables, or null. It is never sent to the address of the stored one. */
export function givenCredentials(env: Variables): Credentials | null {
  const pair = env.SLUICE_PUBLIC_KEY && env.SLUICE_SECRET_KEY && `${env.SLUICE_PUBLIC_KEY}:${env.SLUICE_SECRET_KEY}`;
  const key = env.SLUICE_API_KEY || pair;
  return key ? { baseUrl: parseUrl(env.SLUICE_BASE_URL || DEFAULT_URL), ...parseKey(key) } : null;
}

/** Returns the key to use: that of the variables, otherwise the stored one. Throws `not_logged_in` without any. */
export function findCredentials(env: Variables): Credentials {
  const found = givenCredentials(env) ?? storedCredentials(env);
  if (!found)
    throw new CommandFailure("not_logged_in", "There is no key. Run sluice login, or set SLUICE_API_KEY=pk_…:sk_….");
  return found;
}
