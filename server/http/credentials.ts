// Reads HTTP Basic credentials (interface §5).
import type { Credentials } from "@/server/services/api-keys/authenticate";

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** Returns the pair of an Authorization header, or null unless it has the form Basic base64(public:secret). */
export function readCredentials(header: string | null): Credentials | null {
  const encoded = header === null ? undefined : BASIC.exec(header.trim())?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  if (colon === -1) return null;
  return { publicKey: pair.slice(0, colon), secretKey: pair.slice(colon + 1) };
}
