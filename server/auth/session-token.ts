// Encrypts and decrypts session tokens with the key ring. Rotating the secrets signs nobody out.
import { decode, encode, type JWT, type JWTDecodeParams, type JWTEncodeParams } from "next-auth/jwt";
import { keyRing } from "@/server/platform/keys";

/** Returns the newest session key, as the text that next-auth expects. */
export function sessionSecret(): string {
  return keyRing().current("session").key.toString("base64");
}

/** Encrypts a token with the newest key. */
export function sealToken(params: JWTEncodeParams): Promise<string> {
  return encode({ ...params, secret: sessionSecret() });
}

/**
 * Decrypts a token that any key of the ring encrypted. Returns null for a forged, altered or expired token, and for one
 * encrypted with another salt.
 */
export async function openToken({ token, salt }: Pick<JWTDecodeParams, "token" | "salt">): Promise<JWT | null> {
  if (!token) return null;
  for (const { key } of keyRing().all("session")) {
    const opened = await decode({ token, secret: key.toString("base64"), ...(salt !== undefined && { salt }) }).catch(
      () => null,
    );
    if (opened) return opened;
  }
  return null;
}
