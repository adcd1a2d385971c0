// What a person may write into a record that is kept for good.
import { validationError } from "@/server/domain/errors";

/** Characters of the evidence that an act by two people rests on. */
export const MAXIMUM_EVIDENCE = 2_000;

/** The text without the space around it, 1 to `maximum` characters. Throws validation_failed, naming the field. */
export function checkedText(field: string, given: string, maximum: number): string {
  const text = given.trim();
  if (text === "" || [...text].length > maximum || !text.isWellFormed() || text.includes("\0")) {
    throw validationError(field, `must be text of 1 to ${maximum} characters`);
  }
  return text;
}
