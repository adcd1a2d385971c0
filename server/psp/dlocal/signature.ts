// dLocal's signature: the same one proves our calls to dLocal and dLocal's notifications to us.
import { createHmac } from "node:crypto";

const SCHEME = "V2-HMAC-SHA256, Signature: ";

/** Who signs: the `X-Login` of the account and its secret key. */
export interface Signer {
  readonly login: string;
  readonly secretKey: string;
}

/**
 * Returns the header `Authorization` of a message: the hex HMAC-SHA-256 of login, date and body under the secret key.
 * `date` is the header `X-Date` as it is sent, and `body` the exact text of the body, empty if there is none.
 */
export function authorizationOf({ login, secretKey }: Signer, date: string, body: string): string {
  return SCHEME + createHmac("sha256", secretKey).update(`${login}${date}${body}`, "utf8").digest("hex");
}
