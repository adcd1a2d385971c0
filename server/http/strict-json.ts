// Strict parsing of JSON bodies: rejects what JSON.parse accepts and two parsers could interpret differently.
import { validationError } from "@/server/domain/errors";

const MAXIMUM_DEPTH = 16;

/**
 * Parses JSON. Rejects duplicate keys, nesting deeper than 16, NUL and ill-formed Unicode in any string, and bytes that
 * are not UTF-8. Throws validation_failed.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw validationError("body", "must be valid JSON");
  }
  scan(text);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw validationError("body", "must be valid UTF-8");
  }
}

const STRING = /"(?:[^"\\]|\\.)*"/y;

/** One pass over text that JSON.parse has accepted: only strings and brackets matter. */
function scan(text: string): void {
  const open: (Set<string> | null)[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      STRING.lastIndex = at;
      const literal = STRING.exec(text)?.[0] ?? "";
      at += literal.length;
      checkString(literal, open.at(-1), isKey(text, at));
      continue;
    }
    if (character === "{" || character === "[") {
      open.push(character === "{" ? new Set() : null);
      if (open.length > MAXIMUM_DEPTH)
        throw validationError("body", `must not nest deeper than ${MAXIMUM_DEPTH} levels`);
    } else if (character === "}" || character === "]") {
      open.pop();
    }
    at += 1;
  }
}

const COLON = /[ \t\r\n]*:/y;

/** In valid JSON, a string followed by a colon is always a key. */
function isKey(text: string, after: number): boolean {
  COLON.lastIndex = after;
  return COLON.test(text);
}

function checkString(literal: string, keys: Set<string> | null | undefined, key: boolean): void {
  const needsDecoding = literal.includes("\\");
  const value = needsDecoding ? (JSON.parse(literal) as string) : literal.slice(1, -1);
  if (needsDecoding && (value.includes("\0") || !value.isWellFormed())) {
    throw validationError("body", "must not contain NUL or lone surrogates in any string");
  }
  if (!key || !keys) return;
  if (keys.has(value)) throw validationError("body", "must not repeat a key within an object");
  keys.add(value);
}
