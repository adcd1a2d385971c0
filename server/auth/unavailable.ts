// Sign-ins that fail through a fault of the service.
import { log } from "@/server/platform/log";

/** Logs the error and returns one to throw, whose message may be part of an address. */
export function unavailable(error: unknown): Error {
  log().error({ err: error }, "a sign-in attempt failed");
  return new Error("Unavailable");
}
