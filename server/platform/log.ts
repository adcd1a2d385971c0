// Structured logging: JSON lines on standard error, with redacted secrets.
import { type Logger, pino } from "pino";
import { env } from "./env";
import { CENSOR, SECRET_NAMES } from "./redaction";

/** Secrets are redacted at the top and up to three levels down. */
const DEPTHS = ["", "*.", "*.*.", "*.*.*."];

const DEEPEST_CAUSE = 5;

/** Next's bundles and the custom server are separate module graphs; they share state through globalThis. */
const shared = globalThis as typeof globalThis & { sluiceLog?: Logger; sluiceRequestLog?: Logger };

/**
 * Returns the logged parts of an error: type, message, stack, code and causes. Omits other properties: Postgres adds
 * the whole rejected row ("Failing row contains …"), drivers add parameters.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause, code } = error as Error & { readonly code?: unknown };
  return {
    type: name,
    message,
    stack,
    ...(typeof code === "string" && { code }),
    ...(cause instanceof Error && depth < DEEPEST_CAUSE && { cause: describeError(cause, depth + 1) }),
  };
}

interface Destination {
  write(line: string): void;
}

function shapeOf(level: string) {
  return {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
}

/** Returns a logger that writes to the given destination; standard output is reserved for a command's output. */
export function createLog(level: string, destination: Destination): Logger {
  return pino(
    {
      ...shapeOf(level),
      serializers: { err: (error: unknown) => describeError(error) },
      redact: { paths: DEPTHS.flatMap((depth) => SECRET_NAMES.map((name) => depth + name)), censor: CENSOR },
    },
    destination,
  );
}

function standardError(): Destination {
  return pino.destination({ fd: 2, sync: true });
}

/** Returns the process's logger. */
export function log(): Logger {
  shared.sluiceLog ??= createLog(env().logLevel, standardError());
  return shared.sluiceLog;
}

/** The logged members of each request: always the same, so that no line can contain secrets. */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

/** Logs one answered request. */
export function logRequest({ requestId, method, path, status, ms }: RequestLine): void {
  shared.sluiceRequestLog ??= pino(shapeOf(env().logLevel), standardError());
  shared.sluiceRequestLog.info({ requestId, method, path, status, ms }, "request");
}
