// Compares the answers of the two hosts: each test's answers are recorded on the direct host and compared on Next's own.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer, RawCall } from "./api";
import { createNormalizer } from "./normalized-text";

/** The contract: one spec file for each operation, idempotency, lists and authentication. Both hosts run it. */
export const CONTRACT =
  /rest\/(?:(?:create|cancel|get|list)\w+|authentication|idempotency(?:-keys)?|pagination|simulate|webhookEndpoints)\.spec\.ts$/;

/**
 * The tag of tests whose calls overlap so that one wins: which one, and how often the others are told to wait, differs
 * from run to run. Their answers are not compared.
 */
export const OVERLAPPING = "@overlapping";

/**
 * Every other header is compared. These are of the connection or the time, or follow from Next's compression and
 * streaming: it adds its own `vary`, and sends no length.
 */
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

/** The answers of one test, in the order in which it made the calls. */
export interface Recording {
  /** Reserves the place of a call's answer; the returned function fills it. */
  begin(call: RawCall): (answer: Answer) => void;
  /** One line per answer. Equal answers to a repeated GET count once, because specs poll. */
  lines(): string[];
}

/** One answer: the call, the status, the headers sorted by name, and the exact body. */
function lineOf({ method, path }: RawCall, { status, headers, text }: Answer): string {
  const shown = [...headers].filter(([name]) => !OWN_HEADERS.has(name)).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} → ${status}\n${shown.sort().join("\n")}\n${text}`;
}

export function startRecording(): Recording {
  const recorded: string[] = [];
  return {
    begin(call) {
      const place = recorded.push(`${call.method} ${call.path} → no answer`) - 1;
      return (answer) => {
        recorded[place] = lineOf(call, answer);
      };
    },
    lines() {
      const normalize = createNormalizer();
      return recorded
        .map(normalize)
        .filter((line, place, all) => !(line.startsWith("GET ") && line === all[place - 1]));
    },
  };
}

/** The file of a test's answers below `folder`. */
function fileOf(folder: string, title: string): string {
  return join(folder, `${createHash("sha256").update(title).digest("hex").slice(0, 24)}.json`);
}

/** Stores the answers of a test on the direct host. */
export function storeAnswers(folder: string, title: string, lines: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(folder, title), JSON.stringify(lines));
}

/** The answers of the same test on the direct host. Throws if that test did not run there. */
export function storedAnswers(folder: string, title: string): string[] {
  const file = fileOf(folder, title);
  if (!existsSync(file)) throw new Error(`no answers of the direct host: run the project rest too, for ${title}`);
  return JSON.parse(readFileSync(file, "utf8")) as string[];
}
