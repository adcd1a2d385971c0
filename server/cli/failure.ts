// What a failed command prints, and its exit status.
import { Forbidden } from "@/server/domain/errors";
import { ConfigurationError } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { asServiceError, isOfDatabase } from "@/server/services/outage";
import { UsageError } from "./command";

export interface Failure {
  readonly code: string;
  readonly message: string;
  /** 2 if the command line was invalid, 1 for everything else. */
  readonly exitStatus: 1 | 2;
}

/** Returns the failure to print. An internal error is logged in full, because its message is not meant for users. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) return { code: "usage", message: error.message, exitStatus: 2 };
  if (error instanceof ConfigurationError) {
    return { code: "configuration_invalid", message: error.faults.join("; "), exitStatus: 1 };
  }
  if (error instanceof Forbidden) return { code: error.code, message: error.message, exitStatus: 1 };
  const known = asServiceError(error);
  // The message does not tell what the database complained about.
  if (known && isOfDatabase(error)) log().warn({ err: error }, "the database failed the command");
  if (known) return { code: known.code, message: known.message, exitStatus: 1 };
  log().error({ err: error }, "the command failed");
  return {
    code: "internal_error",
    message: "The command failed; the previous log line states the cause.",
    exitStatus: 1,
  };
}
