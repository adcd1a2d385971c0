// Compares what a program printed with what a document shows, which is shortened: `…` stands for any text without spaces,
// and other members, elements and lines may be there.

function pattern(shown: string): string {
  return shown
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("\\S+");
}

const isArray = (value: unknown): value is unknown[] => Array.isArray(value);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Returns the path of the first value that differs from the shown one, or null. Each shown element needs one of its own. */
export function differenceFrom(shown: unknown, actual: unknown, path = "answer"): string | null {
  if (isArray(shown)) {
    if (!isArray(actual)) return path;
    const left = [...actual];
    for (const [index, element] of shown.entries()) {
      const found = left.findIndex((one) => differenceFrom(element, one) === null);
      if (found < 0) return `${path}[${index}]`;
      left.splice(found, 1);
    }
    return null;
  }
  if (isObject(shown)) {
    if (!isObject(actual) || isArray(actual)) return path;
    for (const [name, value] of Object.entries(shown)) {
      const difference = differenceFrom(value, actual[name], `${path}.${name}`);
      if (difference) return difference;
    }
    return null;
  }
  if (typeof shown === "string" && shown.includes("…"))
    return typeof actual === "string" && new RegExp(`^${pattern(shown)}$`).test(actual) ? null : path;
  return shown === actual ? null : path;
}

/** Returns the first shown line that the output lacks after the lines before it, or null. */
export function missingLine(shown: string, output: string): string | null {
  const printed = output.split(/\r?\n/);
  let next = 0;
  for (const line of shown.split("\n")) {
    const found = printed.slice(next).findIndex((one) => new RegExp(`^${pattern(line)}$`).test(one.trimEnd()));
    if (found < 0) return line;
    next += found + 1;
  }
  return null;
}
