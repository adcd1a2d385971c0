// Reads settings that are JSON or the path of a JSON file, and reports the path of each fault.
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { ConfigurationError } from "@/server/platform/env";

/**
 * Returns the value of the setting called `name`, validated by the schema, or null if it is not set. Throws a
 * ConfigurationError that lists every fault by its path and contains no values, which may be secrets.
 */
export function readJsonSetting<Value>(
  name: string,
  source: string | null | undefined,
  schema: z.ZodType<Value>,
): Value | null {
  const text = source?.trim();
  if (!text) return null;
  const parsed = schema.safeParse(parse(name, /^[[{]/.test(text) ? text : readText(name, text)));
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(parsed.error.issues.map((issue) => `${name}${place(issue.path)} ${issue.message}`));
}

function readText(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new ConfigurationError([`${name} must be a JSON array or the path of a readable file`]);
  }
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError([`${name} must contain valid JSON`]);
  }
}

function place(path: readonly PropertyKey[]): string {
  return path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
}
