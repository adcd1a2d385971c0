// Turns the first error of a schema into validation_failed; its message begins with the field's path.
import type { z } from "zod";
import { type ServiceError, validationError } from "@/server/domain/errors";

/** Returns the value in the schema's shape. Throws validation_failed about the first error. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  root: "body" | "query",
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw complain(result.error, value, root);
}

/** Turns one schema error into validation_failed; `value` distinguishes missing fields from wrong ones. */
export function complain(error: z.ZodError, value: unknown, root: string): ServiceError {
  const [issue] = error.issues;
  const path = issue?.path.filter((part) => typeof part === "string").join(".") || root;
  if (issue && isMissing(value, issue.path)) return validationError(path, "is required");
  return validationError(path, issue?.message ?? "is invalid");
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  if (path.length === 0) return false;
  let current: unknown = value;
  for (const part of path) {
    if (typeof current !== "object" || current === null) return false;
    if (!Object.hasOwn(current, part)) return true;
    current = (current as Record<PropertyKey, unknown>)[part];
  }
  return false;
}
