// The rows of exceptions: opened once per fact, listed, taken on, resolved for good with an audit entry.
import { type ExceptionFact, type ExceptionKind, type ExceptionState, NOBODY } from "@/server/domain/exceptions";
import { type Environment, recordedActor, type Scope } from "@/server/domain/scope";
import type { Settlement } from "@/server/domain/suspense";
import { newId } from "@/server/platform/ids";
import { withinMerchantOrAll } from "@/server/platform/reach";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query, queryAcrossMerchants } from "./client";
import type { Parameter } from "./intents/conditions";
import type { PagePosition } from "./list-start";
import type { Transaction } from "./transaction";

export interface StoredException {
  readonly id: string;
  /** Null where it is no merchant's. */
  readonly merchantId: string | null;
  readonly environment: Environment;
  readonly kind: ExceptionKind;
  readonly objectId: string;
  /** Names what it is about; of a booking, the booking's unique key. */
  readonly fact: string;
  readonly detail: Readonly<Record<string, string | null>>;
  readonly ownerId: string | null;
  /** The member who made the owner its owner; the owner, if they took it. Null without an owner, and if it is unknown. */
  readonly assignedBy: string | null;
  readonly assignedAt: Date | null;
  readonly openedAt: Date;
  readonly resolution: string | null;
  /** What became of the money, where it was about money in suspense. */
  readonly settledAs: Settlement | null;
  readonly resolvedAt: Date | null;
  readonly resolvedBy: { readonly type: string; readonly id: string } | null;
}

export interface ExceptionRow {
  id: string;
  merchant_id: string;
  environment: Environment;
  kind: ExceptionKind;
  object_id: string;
  fact: string;
  detail: Record<string, string | null>;
  owner_id: string | null;
  assigned_by: string | null;
  assigned_at: Date | null;
  opened_at: Date;
  resolution: string | null;
  settled_as: Settlement | null;
  resolved_at: Date | null;
  resolved_by_type: string | null;
  resolved_by_id: string | null;
}

export const EXCEPTION_COLUMNS = `id, merchant_id, environment, kind, object_id, fact, detail, owner_id, assigned_by,
  assigned_at, opened_at, resolution, settled_as, resolved_at, resolved_by_type, resolved_by_id`;

export function exceptionFromRow(row: ExceptionRow): StoredException {
  const { resolved_by_type: type, resolved_by_id: id } = row;
  return {
    id: row.id,
    merchantId: row.merchant_id === NOBODY ? null : row.merchant_id,
    environment: row.environment,
    kind: row.kind,
    objectId: row.object_id,
    fact: row.fact,
    detail: row.detail,
    ownerId: row.owner_id,
    assignedBy: row.assigned_by,
    assignedAt: row.assigned_at,
    openedAt: row.opened_at,
    resolution: row.resolution,
    settledAs: row.settled_as,
    resolvedAt: row.resolved_at,
    resolvedBy: type !== null && id !== null ? { type, id } : null,
  };
}

/** A fact, and whose it is: `merchantId` is NOBODY where it is no merchant's. */
export interface Opening extends ExceptionFact {
  readonly scope: Scope;
}

const OPEN = `
  INSERT INTO exception (merchant_id, id, environment, kind, object_id, fact, detail, opened_at)
  SELECT merchant_id, id, environment, kind, object_id, fact, detail, $2::timestamptz
  FROM jsonb_to_recordset($1::jsonb) AS x(
    merchant_id text, id text, environment text, kind text, object_id text, fact text, detail jsonb)
  ON CONFLICT (merchant_id, environment, fact) DO NOTHING
  RETURNING id`;

function openingRows(openings: readonly Opening[]): string {
  return JSON.stringify(
    openings.map(({ scope, kind, objectId, fact, detail }) => ({
      merchant_id: scope.merchantId,
      environment: scope.environment,
      id: newId("exception"),
      kind,
      object_id: objectId,
      fact,
      detail,
    })),
  );
}

/** Opens the exception of a fact; false when it was opened before, whether or not it has been resolved since. */
export async function openException(opening: Opening, at: Date): Promise<boolean> {
  return (await query(OPEN, openingRows([opening]), at)).length === 1;
}

/** Opens those that are new, in the caller's transaction; returns how many. */
export async function openExceptionsWithin(
  transaction: Transaction,
  openings: readonly Opening[],
  at: Date,
): Promise<number> {
  return (await transaction.query<unknown>(OPEN, openingRows(openings), at)).length;
}

/** Which exceptions the operator asks for. */
export interface OperatorsFilter extends Pick<ExceptionFilter, "ownerId"> {
  /** Null for those of every merchant and of nobody. */
  readonly merchantId: string | null;
  readonly openOnly: boolean;
}

/** Up to `count` exceptions, the oldest first. */
export async function listExceptionsAcrossMerchants(
  { merchantId, openOnly, ownerId }: OperatorsFilter,
  count: number,
): Promise<StoredException[]> {
  const values: unknown[] = [merchantId, openOnly, count];
  const where = conditionsOf({ ownerId }, (value) => `$${values.push(value)}`);
  const rows = await withinMerchantOrAll(merchantId, () =>
    query<ExceptionRow>(
      `SELECT ${EXCEPTION_COLUMNS} FROM exception
       WHERE ($1::text IS NULL OR merchant_id = $1) AND (NOT $2 OR resolved_at IS NULL)${where}
       ORDER BY opened_at, id LIMIT $3`,
      ...values,
    ),
  );
  return rows.map(exceptionFromRow);
}

/** The exception of an id, or null: the operator who names it need not know whose it is. */
export async function findExceptionAcrossMerchants(id: string): Promise<StoredException | null> {
  const [row] = await queryAcrossMerchants<ExceptionRow>(
    `SELECT ${EXCEPTION_COLUMNS} FROM exception WHERE id = $1`,
    id,
  );
  return row ? exceptionFromRow(row) : null;
}

/** Which of a scope's exceptions are asked for. */
export interface ExceptionFilter {
  readonly state?: ExceptionState | undefined;
  readonly kind?: ExceptionKind | undefined;
  readonly objectId?: string | undefined;
  /** The member who owns it; null for those that nobody owns. */
  readonly ownerId?: string | null | undefined;
}

function conditionsOf({ state, kind, objectId, ownerId }: ExceptionFilter, parameter: Parameter): string {
  const conditions = [
    state && `resolved_at IS ${state === "open" ? "" : "NOT "}NULL`,
    kind && `kind = ${parameter(kind)}`,
    objectId && `object_id = ${parameter(objectId)}`,
    ownerId === null ? "owner_id IS NULL" : ownerId && `owner_id = ${parameter(ownerId)}`,
  ].filter(Boolean);
  return conditions.map((condition) => ` AND ${condition}`).join("");
}

/** At most `count` of the scope's exceptions after the position, the newest first. */
export async function listExceptionsOf(
  scope: Scope,
  filter: ExceptionFilter,
  after: PagePosition | null,
  count: number,
): Promise<StoredException[]> {
  const values: unknown[] = [scope.merchantId, scope.environment];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const where = conditionsOf(filter, parameter);
  const start = after
    ? ` AND (opened_at, id) < (${parameter(after.createdAt)}::timestamptz, ${parameter(after.id)})`
    : "";
  const rows = await query<ExceptionRow>(
    `SELECT ${EXCEPTION_COLUMNS} FROM exception WHERE merchant_id = $1 AND environment = $2${where}${start}
     ORDER BY opened_at DESC, id DESC LIMIT ${parameter(count)}`,
    ...values,
  );
  return rows.map(exceptionFromRow);
}

/** How many of the scope's exceptions pass the filter; counting stops at `cap`. */
export async function countExceptionsOf(scope: Scope, filter: ExceptionFilter, cap: number): Promise<number> {
  const values: unknown[] = [scope.merchantId, scope.environment, cap];
  const where = conditionsOf(filter, (value) => `$${values.push(value)}`);
  const [row] = await query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT FROM exception WHERE merchant_id = $1 AND environment = $2${where} LIMIT $3::int) capped`,
    ...values,
  );
  return row?.count ?? 0;
}

/** The scope's exception of an id, or null. */
export async function findException(scope: Scope, id: string): Promise<StoredException | null> {
  const [row] = await query<ExceptionRow>(
    `SELECT ${EXCEPTION_COLUMNS} FROM exception WHERE merchant_id = $1 AND environment = $2 AND id = $3`,
    scope.merchantId,
    scope.environment,
    id,
  );
  return row ? exceptionFromRow(row) : null;
}

/** Resolves it for good, with an audit entry; null when that has been done already. */
export function resolveException(
  exception: StoredException,
  resolution: string,
  act: Act,
): Promise<StoredException | null> {
  return inTransaction((transaction) => resolveExceptionWithin(transaction, exception, resolution, act));
}

/** The same in the caller's transaction, which settles its money where `settledAs` says how. */
export function resolveExceptionWithin(
  transaction: Transaction,
  exception: StoredException,
  resolution: string,
  act: Act,
  settledAs: Settlement | null = null,
): Promise<StoredException | null> {
  const { at } = act;
  const actor = recordedActor(act.actor);
  const ownerId = act.actor.type === "member" ? act.actor.id : null;
  // Clocks of two machines may differ: nothing is resolved before it was opened.
  const sql = `resolution = $3, settled_as = $7, resolved_at = greatest(opened_at, $4::timestamptz), resolved_by_type = $5,
               resolved_by_id = $6, owner_id = coalesce(owner_id, $8)`;
  const set = { sql, values: [resolution, at, actor.type, actor.id, settledAs, ownerId] };
  const after = settledAs ? { resolution, settled_as: settledAs } : { resolution };
  return changeException(transaction, exception, { verb: "resolve", set, after }, act);
}

interface Change {
  readonly verb: "take" | "assign" | "resolve";
  /** Assignments, always a constant of this file; their parameters begin at $3. */
  readonly set: { readonly sql: string; readonly values: readonly unknown[] };
  /** The facts that the audit log records. */
  readonly after: Readonly<Record<string, string | null>>;
}

/** Writes the change and its audit entry in the caller's transaction; null if the exception is resolved. */
export async function changeException(
  transaction: Transaction,
  exception: StoredException,
  { verb, set, after }: Change,
  act: Act,
): Promise<StoredException | null> {
  const { id, environment, kind, objectId, ownerId } = exception;
  const merchantId = exception.merchantId ?? NOBODY;
  const [row] = await transaction.query<ExceptionRow>(
    `UPDATE exception SET ${set.sql} WHERE merchant_id = $1 AND id = $2 AND resolved_at IS NULL RETURNING ${EXCEPTION_COLUMNS}`,
    merchantId,
    id,
    ...set.values,
  );
  if (!row) return null;
  const before = { kind, object_id: objectId, owner_id: ownerId };
  const action = `exception.${verb}`;
  await recordChange(transaction, { merchantId, environment, action, objectId: id, before, after }, act);
  return exceptionFromRow(row);
}

/** Open exceptions of the named facts, of any merchant, in the caller's transaction. */
export async function findOpenByFactWithin(
  transaction: Transaction,
  environment: Environment,
  facts: readonly string[],
): Promise<StoredException[]> {
  const rows = await transaction.query<ExceptionRow>(
    `SELECT ${EXCEPTION_COLUMNS} FROM exception
     WHERE resolved_at IS NULL AND environment = $1 AND fact = ANY($2::text[]) ORDER BY merchant_id, id`,
    environment,
    facts,
  );
  return rows.map(exceptionFromRow);
}
