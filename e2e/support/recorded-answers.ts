// Compares the answers of the two hosts: each test's answers are recorded on the direct host and compared on Next's own.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer, RawCall } from "./api";

/** Headers of the connection, the time or Next's compression; every other header is compared. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "date",
  "keep-alive",
  "request-id",
  "transfer-encoding",
  "vary",
]);

/** What differs between two equal runs, and its replacement. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/localhost:\d+/g, "<origin>"],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<date>"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, "<uuid>"],
  [/\b([a-z]{2,6})_(?:test_|live_)?[0-9a-hjkmnp-tv-z]{26}\b/g, "<$1>"],
  // Instructions of the sandbox: its references, virtual accounts and wallet addresses.
  [/\bSBX[0-9A-F]{10}\b/g, "<instruction>"],
  [/\b\d{18}\b/g, "<account>"],
  [/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, "<address>"],
  [/[A-Za-z0-9_-]{40,}={0,2}/g, "<token>"],
  // Tests of a worker share a merchant: its balances depend on earlier tests.
  [/"(available|held)":"\d+"/g, '"$1":"<sum>"'],
];

function withoutVolatile(text: string): string {
  return VOLATILE.reduce((current, [pattern, replacement]) => current.replace(pattern, replacement), text);
}

/** One answer as a line: the call, the status, the headers sorted by name, and the exact body. */
export function recordOf({ method, path }: RawCall, { status, headers, text }: Answer): string {
  const shown = [...headers].filter(([name]) => !OWN_HEADERS.has(name)).map(([name, value]) => `${name}: ${value}`);
  return withoutVolatile(`${method} ${path} → ${status}\n${shown.sort().join("\n")}\n${text}`);
}

/** The file of a test's answers below `folder`. */
function fileOf(folder: string, title: string): string {
  return join(folder, `${createHash("sha256").update(title).digest("hex").slice(0, 24)}.json`);
}

/** Stores the answers of a test on the direct host, sorted as text: concurrent calls have no order. */
export function storeAnswers(folder: string, title: string, answers: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(folder, title), JSON.stringify([...answers].sort()));
}

/** The answers of the same test on the direct host. Null if that test did not run there, or failed. */
export function storedAnswers(folder: string, title: string): string[] | null {
  const file = fileOf(folder, title);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as string[]) : null;
}
