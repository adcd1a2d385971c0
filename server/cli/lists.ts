// Parses several values in one option, separated by commas.

/** `"BRL, MXN,"` → `["BRL", "MXN"]`. */
export function splitList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
