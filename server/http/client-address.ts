// The caller's address of requests that arrive through Next.
import { clientAddress } from "@/server/platform/client-address";
import { env } from "@/server/platform/env";

/**
 * Returns the caller's address, or an empty text. The direct host has replaced X-Forwarded-For by the one address. Under
 * Next alone its last entry stands for the connection, which Next does not pass on; a caller without a proxy can forge it.
 */
export function forwardedAddress(headers: Pick<Headers, "get">): string {
  const entries = headers.get("x-forwarded-for")?.split(",") ?? [];
  return clientAddress(entries.pop() ?? "", entries.length > 0 ? entries.join(",") : null, env().trustedProxies);
}
