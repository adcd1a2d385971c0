// The list of keyed columns is complete: derived from the schema by name, and from stored values.
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect, query } from "../client";
import { KEYED_COLUMNS } from "./keyed-columns";

/** Columns with a name like a keyed one's, and the reason why they need no key. */
const UNKEYED: Readonly<Record<string, string>> = {
  "api_key.secret_hash": "its key is named by pepper_id",
  "api_log.api_key_id": "an id",
  "approval.digest": "a plain SHA-256 of what was shown",
  "audit_chain.last_hash": "the hash of an audit_link",
  "audit_link.hash": "its key is named by key_id",
  "banked_line.bank_digest": "a plain SHA-256 of the line",
  "banked_line.digest": "a plain SHA-256 of the line",
  "fresh_sign_in.id_hash": "a plain SHA-256 of a random text",
  "idempotency_key.api_key_id": "an id",
  "idempotency_seal.api_key_id": "an id",
  "installation.reference_key_id": "a key of REFERENCE_KEY, which never changes",
  "member.password_hash": "argon2id with its own salt",
  "one_time_link.token_hash": "a plain SHA-256 of a random token",
  "passkey_challenge.binding_hash": "a plain SHA-256 of a session's id or a random text",
  "passkey_challenge.challenge_hash": "a plain SHA-256 of a random challenge",
  "settlement_file.digest": "a plain SHA-256 of the file",
  "topup_callback.body_hash": "a plain SHA-256 of a callback's body, which provider_callback has",
  "settlement_line.digest": "a plain SHA-256 of the line",
};

const listed = new Set(
  Object.values(KEYED_COLUMNS)
    .flat()
    .map(({ table, column }) => `${table}.${column}`),
);

interface Column {
  readonly table: string;
  readonly column: string;
}

let columns: readonly Column[];
beforeAll(async () => {
  columns = await query<Column>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'
       AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition)
       AND data_type IN ('text', 'ARRAY', 'json', 'jsonb', 'bytea')`,
  );
});
afterAll(disconnect);

it("every column with the name of a sealed, hashed or digested value is listed, or has a reason not to be", () => {
  const named = columns.filter(({ column }) => /seal|digest|hash|finger|pepper|key_id|secret|token|mac$/.test(column));
  const places = named.map(({ table, column }) => `${table}.${column}`);
  expect(places.length).toBeGreaterThanOrEqual(24);
  expect(places.filter((place) => !listed.has(place) && !(place in UNKEYED))).toEqual([]);
});

it("every listed column and every exception exists", () => {
  const places = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  expect([...listed, ...Object.keys(UNKEYED)].filter((place) => !places.has(place))).toEqual([]);
});
