import { parseInstant } from "@/server/contract/instants";
import { validationError } from "@/server/domain/errors";

/** Parses an ISO 8601 instant with an offset. Throws validation_failed, naming the option. */
export function readInstant(name: string, text: string): Date {
  const instant = parseInstant(text);
  if (!instant)
    throw validationError(name, "must be an ISO 8601 date and time with an offset, such as 2026-11-21T00:00:00Z");
  return instant;
}

/** The same for an optional option. */
export function readOptionalInstant(name: string, text: string | null): Date | null {
  return text === null ? null : readInstant(name, text);
}
