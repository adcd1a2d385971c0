// Owns sealing and opening session tokens with the key ring: rotating the secrets signs nobody out.
import { decode, encode, type JWT, type JWTDecodeParams, type JWTEncodeParams } from "next-auth/jwt";
import { keyRing } from "@/server/platform/keys";

/** The newest session key, as the text that next-auth takes. */
export function sessionSecret(): string {
  return keyRing().current("session").key.toString("base64");
}

/** Seals a token under the newest key. */
export function sealToken(params: JWTEncodeParams): Promise<string> {
  return encode({ ...params, secret: sessionSecret() });
}

/** Opens a token that any key of the ring has sealed; null for a forged, altered or outlived one. */
export async function openToken({ token }: Pick<JWTDecodeParams, "token">): Promise<JWT | null> {
  if (!token) return null;
  for (const { key } of keyRing().all("session")) {
    const opened = await decode({ token, secret: key.toString("base64") }).catch(() => null);
    if (opened) return opened;
  }
  return null;
}
