// The caller's address of requests that arrive through Next.
import { clientAddress } from "@/server/platform/client-address";
import { env } from "@/server/platform/env";

/** The front and Next's bundles are separate module graphs; they share state through globalThis. */
const shared = globalThis as typeof globalThis & { sluiceHasFront?: boolean };

/** Declares that the direct host of this process has replaced X-Forwarded-For by the caller's one address. */
export function declareFront(): void {
  shared.sluiceHasFront = true;
}

/**
 * Returns the caller's address, or an empty text if it is unknown. Next alone does not pass the connection's address on:
 * it keeps a header that the caller sent. Its last entry is therefore used only if the operator trusts proxies.
 */
export function forwardedAddress(headers: Pick<Headers, "get">): string {
  const { trustedProxies } = env();
  if (!shared.sluiceHasFront && trustedProxies.rules.length === 0) return "";
  const entries = headers.get("x-forwarded-for")?.split(",") ?? [];
  return clientAddress(entries.pop() ?? "", entries.length > 0 ? entries.join(",") : null, trustedProxies);
}
