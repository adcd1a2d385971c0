// What a command throws, and the exit status of each failure.
import { SluiceError } from "../errors.js";

/** Exit statuses, as docs/developer-cli.md lists them. */
export const EXIT = { ok: 0, failed: 1, usage: 2, credentials: 3, waiting: 4, interrupted: 130 } as const;

/** A failure with a code of the command line's own, and what to do in its message. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";

  constructor(
    readonly code:
      | "usage"
      | "not_logged_in"
      | "waits_for_approval"
      | "live_key"
      | "nothing_to_resend"
      | "unusable_file",
    message: string,
  ) {
    super(message);
  }
}

const STATUS_OF: Readonly<Record<string, number>> = {
  usage: EXIT.usage,
  not_logged_in: EXIT.credentials,
  unauthorized: EXIT.credentials,
  waits_for_approval: EXIT.waiting,
};

export interface ReportedFailure {
  readonly code: string;
  readonly message: string;
  readonly request_id: string | null;
}

/** Describes what was thrown, without a stack. */
export function describeFailure(error: unknown): ReportedFailure {
  if (error instanceof SluiceError) return { code: error.code, message: error.message, request_id: error.requestId };
  if (error instanceof CommandFailure) return { code: error.code, message: error.message, request_id: null };
  return { code: "unexpected", message: error instanceof Error ? error.message : String(error), request_id: null };
}

/** Returns the exit status of a failure. */
export function exitStatusOf({ code }: ReportedFailure): number {
  return STATUS_OF[code] ?? EXIT.failed;
}
