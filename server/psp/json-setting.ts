import type { z } from "zod";
import { ConfigurationError } from "@/server/platform/env";
import { parseJsonSetting } from "@/server/platform/json-setting";

/**
 * Returns the value of the setting called `name`, validated by the schema, or null if it is not set. Throws a
 * ConfigurationError that lists every fault by its path and contains no values, which may be secrets.
 */
export function readJsonSetting<Value>(
  name: string,
  source: string | null | undefined,
  schema: z.ZodType<Value>,
): Value | null {
  const { value, faults } = parseJsonSetting(name, source, schema);
  if (faults.length > 0) throw new ConfigurationError(faults);
  return value;
}
