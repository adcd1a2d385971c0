// Reads settings that are JSON or the path of a JSON file, and reports the path of each fault.
import { readFileSync } from "node:fs";
import type { z } from "zod";

/** A setting's value, null if it is not set or has faults. */
interface JsonSetting<Value> {
  readonly value: Value | null;
  readonly faults: readonly string[];
}

/**
 * Returns the value of the setting called `name`, validated by the schema, or its faults by their paths. Faults contain no
 * values, which may be secrets.
 */
export function parseJsonSetting<Value>(
  name: string,
  source: string | null | undefined,
  schema: z.ZodType<Value>,
): JsonSetting<Value> {
  const text = source?.trim();
  if (!text) return { value: null, faults: [] };
  const json = /^[[{]/.test(text) ? text : readText(text);
  if (json === null) return { value: null, faults: [`${name} must be a JSON array or the path of a readable file`] };
  const given = parse(json);
  if (!given) return { value: null, faults: [`${name} must contain valid JSON`] };
  const { data, error } = schema.safeParse(given.value);
  if (!error) return { value: data, faults: [] };
  return { value: null, faults: error.issues.map((issue) => `${name}${place(issue.path)} ${issue.message}`) };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function parse(json: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return null;
  }
}

function place(path: readonly PropertyKey[]): string {
  return path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
}
