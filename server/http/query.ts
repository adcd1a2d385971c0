// Reads query strings: the parameters that a route declares, lists in three spellings, and the names of all others.
import { validationError } from "@/server/domain/errors";

export interface ParsedQuery {
  readonly values: Readonly<Record<string, string | string[]>>;
  /** Parameters that the route does not declare. They are reported to the caller and have no effect. */
  readonly ignored: readonly string[];
}

/** Parameters that are lists: `status=a,b`, `status=a&status=b` and `status[]=a` are equal (interface §4.4). */
const LIST_PARAMETERS: ReadonlySet<string> = new Set(["status"]);

/** Parses the query of a URL. Throws validation_failed for broken encoding and for a repeated single parameter. */
export function parseQuery(url: URL, known: ReadonlySet<string>): ParsedQuery {
  requireUtf8(url.search);
  const values: Record<string, string | string[]> = {};
  const ignored = new Set<string>();
  for (const [rawName, value] of url.searchParams) {
    const name = rawName.endsWith("[]") && LIST_PARAMETERS.has(rawName.slice(0, -2)) ? rawName.slice(0, -2) : rawName;
    if (!known.has(name)) {
      ignored.add(rawName);
    } else if (LIST_PARAMETERS.has(name)) {
      values[name] = [...((values[name] as string[] | undefined) ?? []), ...value.split(",")];
    } else {
      if (Object.hasOwn(values, name)) throw validationError(name, "must not be repeated");
      values[name] = value;
    }
  }
  return { values, ignored: [...ignored] };
}

function requireUtf8(search: string): void {
  try {
    decodeURIComponent(search);
  } catch {
    throw validationError("query", "must be percent-encoded UTF-8");
  }
}

const MAXIMUM_NAMED = 10;
const MAXIMUM_NAME = 64;

/** Formats the ignored names as a header value, percent-encoded so that no name can inject a header. */
export function ignoredHeader(names: readonly string[]): string {
  return names
    .slice(0, MAXIMUM_NAMED)
    .map((name) => encodeURIComponent(name.toWellFormed().slice(0, MAXIMUM_NAME).toWellFormed()))
    .join(", ");
}
