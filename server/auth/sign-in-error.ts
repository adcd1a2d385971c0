// What a failed sign-in tells the browser.
import { CodeRequired } from "@/server/domain/errors";
import { log } from "@/server/platform/log";

/**
 * Returns the error to throw, whose message may be part of an address and is therefore only a code. `code` is the one-time
 * code that was given. Logs any error but a missing or wrong code.
 */
export function signInError(error: unknown, code?: string): Error {
  if (error instanceof CodeRequired) return new Error(code ? "CodeRefused" : "CodeRequired");
  log().error({ err: error }, "a sign-in attempt failed");
  return new Error("Unavailable");
}
