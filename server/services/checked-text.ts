// Validates a person's text for a permanent record.
import { validationError } from "@/server/domain/errors";

/** Maximum length of the evidence for an act by two people, in characters. */
export const MAXIMUM_EVIDENCE = 2_000;

/** Returns the trimmed text, 1 to `maximum` characters. Throws validation_failed with the field's name. */
export function checkedText(field: string, given: string, maximum: number): string {
  const text = given.trim();
  if (text === "" || [...text].length > maximum || !text.isWellFormed() || text.includes("\0")) {
    throw validationError(field, `must be text of 1 to ${maximum} characters`);
  }
  return text;
}
