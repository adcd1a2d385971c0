import { validationError } from "@/server/domain/errors";

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `"90s"`, `"15m"`, `"25h"`, `"7d"` → whole seconds, 1 or more. Throws validation_failed, naming the option. */
export function readDuration(name: string, text: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,8})([smhd])$/.exec(text) ?? [];
  if (!count || !unit) throw validationError(name, "must be a whole number with a unit: 90s, 15m, 25h or 7d");
  return Number(count) * (UNIT_SECONDS[unit] ?? 1);
}
