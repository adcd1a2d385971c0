// Owns the form of the checked-in tables: one JSON document a line, a file per category.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Header values as text, several headers of one name as a list, null for a header that must be absent. */
export type HeaderValues = Readonly<Record<string, string | readonly string[] | null>>;

/** One request. Placeholders (placeholders.ts) are filled in before it is sent. */
export interface TableRequest {
  /** Unique within its file. */
  readonly name: string;
  readonly method?: string;
  readonly path?: string;
  /** On top of the test key's credentials and, with a body, `application/json`. */
  readonly headers?: HeaderValues;
  /** Text goes out as it is, anything else as JSON. */
  readonly body?: string | object;
  /** Bytes that no text can express. */
  readonly bodyBase64?: string;
  /** A whole request for a bare socket, one character a byte; nothing is added to it. */
  readonly raw?: string;
}

/** The one answer that the contract gives to a bad request. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** Leads the message. */
  readonly field?: string;
  /** The Allow header. */
  readonly allow?: string;
}

export interface BadInput extends TableRequest {
  readonly expect: Refusal;
}

/** A request that looks wrong and is right. */
export interface OddInput extends TableRequest {
  readonly expect: {
    readonly status: number;
    /** Members the answer must have, compared exactly; dots lead into objects. */
    readonly shows?: Readonly<Record<string, unknown>>;
    /** The Ignored-Parameters header. */
    readonly ignored?: string;
  };
}

/** The file of a table. */
export function tablePath(category: string): string {
  return fileURLToPath(new URL(`./tables/${category}.jsonl`, import.meta.url));
}

/** The text of a table's file. Throws when two requests have one name. */
export function renderTable(cases: readonly TableRequest[]): string {
  const names = new Set<string>();
  for (const { name } of cases) {
    if (names.has(name)) throw new Error(`two cases are named ${name}`);
    names.add(name);
  }
  return cases.map((one) => `${JSON.stringify(one)}\n`).join("");
}

/** The requests of a checked-in table. */
export function readTable<Case extends TableRequest>(category: string): Case[] {
  const lines = readFileSync(tablePath(category), "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Case);
}
