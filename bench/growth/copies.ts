// Copies of whole lives, as Sluice wrote them, at any time in the past.
import type { Database } from "@/e2e/rest/database";
import type { Row } from "../peer/rows";

/** An id without its last character, which is the endpoint's place in ids of deliveries. */
const ID = /(?<=_)[0-9a-hjkmnp-tv-z]{25}(?=[0-9a-hjkmnp-tv-z]\b)/g;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
/** Digits of the number in an id that is copied: what its time leaves of it. */
const NUMBER_DIGITS = 15;
/** Room for the numbers of a life's new texts. */
const MOST_TEXTS = 64;

/** All rows of a life, by table. */
export type Life = Readonly<Record<string, readonly Row[]>>;

/** A row of a life, prepared for copying. */
interface Template {
  readonly table: string;
  /** JSON with `{0}` and so on for what is new in every copy. */
  readonly text: string;
  /** Columns of instants, each with its distance in ms from the life's begin. */
  readonly instants: readonly (readonly [column: string, ms: number])[];
  /** Its number in the audit chain or in an account, if it has one. */
  readonly hasSequence: boolean;
  /** Its place in the search, if it is a term: the negative time. */
  readonly hasRank: boolean;
}

/** What every life of a merchant refers to. */
const SHARED = ["merchant_id", "api_key_id", "endpoint_id"];

function idsOf(value: unknown): string[] {
  return JSON.stringify(value).match(ID) ?? [];
}

/** Texts that are new in every life: parts of ids, and the names that its maker chose. */
function newTexts(life: Life): string[] {
  const rows = Object.values(life).flat();
  const shared = new Set(rows.flatMap((row) => SHARED.flatMap((column) => idsOf(row[column] ?? ""))));
  const chosen = [life.payment_intent?.[0]?.merchant_reference, life.idempotency_key?.[0]?.key];
  const ids = new Set(rows.flatMap(idsOf).filter((id) => !shared.has(id)));
  return [...ids, ...chosen.filter((text): text is string => typeof text === "string")];
}

function templatesOf(life: Life, texts: readonly string[]): Template[] {
  const begun = life.payment_intent?.[0]?.created_at;
  if (typeof begun !== "string") throw new Error("a life begins with a payment");
  const template = (table: string, row: Row): Template => {
    const instants = Object.entries(row).flatMap(([column, value]) =>
      typeof value === "string" && INSTANT.test(value)
        ? [[column, Date.parse(value) - Date.parse(begun)] as const]
        : [],
    );
    return {
      table,
      text: texts.reduce((text, one, n) => text.replaceAll(one, `{${n}}`), JSON.stringify(row)),
      instants,
      hasSequence: "sequence" in row,
      hasRank: "rank" in row,
    };
  };
  return Object.entries(life).flatMap(([table, rows]) => rows.map((row) => template(table, row)));
}

/** Room for the numbers of a life's entries in chain and ledger. */
const SEQUENCES_PER_LIFE = 20;

function insertion({ table, text, instants, hasSequence, hasRank }: Template, texts: number): string {
  const replaced = Array.from({ length: texts }).reduce<string>(
    (inner, _, n) =>
      `replace(${inner}, '{${n}}', bound || lpad(to_hex(n * ${MOST_TEXTS} + ${n}), ${NUMBER_DIGITS}, '0'))`,
    `'${text.replaceAll("'", "''")}'`,
  );
  const times = instants.map(([column, ms]) => `'${column}', at + ${ms} * interval '1 millisecond'`);
  const sequence = hasSequence ? [`'sequence', (row->>'sequence')::bigint + 1000000 + n * ${SEQUENCES_PER_LIFE}`] : [];
  const rank = hasRank ? ["'rank', -floor(extract(epoch FROM at) * 1000)"] : [];
  const changes = [...times, ...sequence, ...rank];
  return `
    INSERT INTO ${table}
    SELECT made.*
    FROM (SELECT n, at, id_bound_at('', at) AS bound FROM life) l
    CROSS JOIN LATERAL (SELECT ${replaced}::jsonb AS row OFFSET 0) r
    CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, row || jsonb_build_object(${changes.join(", ")})) made`;
}

export interface Period {
  readonly from: Date;
  /** Its length in ms. */
  readonly ms: number;
  /** Copies made before. */
  readonly before: number;
  /** Copies to make, evenly over the period. */
  readonly lives: number;
}

/** Statements that copy the life; triggers and foreign keys are off, since the rows are of the service's own making. */
export function copyStatements(life: Life, { from, ms, before, lives }: Period): string[] {
  const texts = newTexts(life);
  if (texts.length > MOST_TEXTS) throw new Error(`a life has ${texts.length} ids`);
  const life_ = `WITH life AS MATERIALIZED (
    SELECT n, timestamptz '${from.toISOString()}' + (n - ${before}) * ${ms / lives} * interval '1 millisecond' AS at
    FROM generate_series(${before}, ${before + lives - 1}) n)`;
  return templatesOf(life, texts).map((template) => life_ + insertion(template, texts.length));
}

/** Copies lives, one transaction for all. */
export async function copyLives(database: Database, life: Life, period: Period): Promise<void> {
  const statements = copyStatements(life, period);
  await database.query(`BEGIN; SET LOCAL session_replication_role = replica; ${statements.join(";")}; COMMIT`);
}
