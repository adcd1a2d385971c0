// Registrations: where a member, or the operator, receives notifications. Each change is audited in its transaction.
import type { Channel, NotificationType } from "@/server/domain/notification";
import type { NotificationSchedule, Pace } from "@/server/domain/notification-time";
import type { Environment } from "@/server/domain/scope";
import { type Act, recordChange } from "../audit/record";
import { inTransaction, query } from "../client";
import type { Transaction } from "../transaction";

/** Whose registrations: a member's, or the operator's, which belong to NOBODY. */
export interface RegistrationOwner {
  readonly merchantId: string;
  /** Null for the operator. */
  readonly memberId: string | null;
  readonly environment: Environment;
}

/** What its owner chooses and can change. */
export interface RegistrationTerms {
  readonly types: readonly NotificationType[];
  readonly schedule: NotificationSchedule;
}

export interface Registration extends RegistrationOwner, RegistrationTerms {
  readonly id: string;
  readonly channel: Channel;
  /** The operator's mail address; null for other channels and for members. */
  readonly address: string | null;
  /** Null for mail. */
  readonly urlSealed: string | null;
  /** Null unless its messages are signed. */
  readonly secretSealed: string | null;
  readonly createdAt: Date;
}

export interface RegistrationRow {
  merchant_id: string;
  id: string;
  environment: Environment;
  member_id: string | null;
  channel: Channel;
  address: string | null;
  url_sealed: string | null;
  secret_sealed: string | null;
  types: NotificationType[];
  pace: Pace;
  time_zone: string;
  daily_at: number;
  quiet_from: number | null;
  quiet_until: number | null;
  created_at: Date;
}

const COLUMNS = `merchant_id, id, environment, member_id, channel, address, url_sealed, secret_sealed, types, pace,
  time_zone, daily_at, quiet_from, quiet_until, created_at`;

/** The schedule of a row. */
export function scheduleOf(
  row: Pick<RegistrationRow, "pace" | "time_zone" | "daily_at" | "quiet_from" | "quiet_until">,
): NotificationSchedule {
  const { quiet_from: from, quiet_until: until } = row;
  const quiet = from !== null && until !== null ? { from, until } : null;
  return { pace: row.pace, timeZone: row.time_zone, dailyAt: row.daily_at, quiet };
}

function fromRow(row: RegistrationRow): Registration {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    environment: row.environment,
    memberId: row.member_id,
    channel: row.channel,
    address: row.address,
    urlSealed: row.url_sealed,
    secretSealed: row.secret_sealed,
    types: row.types,
    schedule: scheduleOf(row),
    createdAt: row.created_at,
  };
}

const OF_OWNER = "merchant_id = $1 AND member_id IS NOT DISTINCT FROM $2 AND environment = $3";

function ownerValues({ merchantId, memberId, environment }: RegistrationOwner): unknown[] {
  return [merchantId, memberId, environment];
}

/** The owner's registrations, oldest first. */
export async function listRegistrations(owner: RegistrationOwner): Promise<Registration[]> {
  const rows = await query<RegistrationRow>(
    `SELECT ${COLUMNS} FROM notification_registration WHERE ${OF_OWNER} ORDER BY id`,
    ...ownerValues(owner),
  );
  return rows.map(fromRow);
}

/** The owner's registration of that id, or null. */
export async function findRegistration(owner: RegistrationOwner, id: string): Promise<Registration | null> {
  const [row] = await query<RegistrationRow>(
    `SELECT ${COLUMNS} FROM notification_registration WHERE ${OF_OWNER} AND id = $4`,
    ...ownerValues(owner),
    id,
  );
  return row ? fromRow(row) : null;
}

function termValues({ types, schedule }: RegistrationTerms): unknown[] {
  const { pace, timeZone, dailyAt, quiet } = schedule;
  return [types, pace, timeZone, dailyAt, quiet?.from ?? null, quiet?.until ?? null];
}

/** What the audit log records of a registration: no URL, which can grant access, and no secret. */
function auditedRegistration({ channel, address, types, schedule }: Registration) {
  const { pace, timeZone: time_zone, dailyAt: daily_at, quiet } = schedule;
  return { channel, ...(address !== null && { address }), types, pace, time_zone, daily_at, quiet };
}

async function record(
  transaction: Transaction,
  verb: "create" | "update" | "delete",
  [before, after]: readonly [Registration | null, Registration | null],
  act: Act,
): Promise<void> {
  const { merchantId, environment, id: objectId } = (after ?? before) as Registration;
  const states = { before: before && auditedRegistration(before), after: after && auditedRegistration(after) };
  const action = `notification_registration.${verb}`;
  await recordChange(transaction, { merchantId, environment, action, objectId, ...states }, act);
}

/** Inserts a registration, unless its owner has `maximum` already; false then. */
export function insertRegistration(registration: Registration, maximum: number, act: Act): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const owner = ownerValues(registration);
    // One at a time counts the member's registrations.
    await transaction.query(
      "SELECT FROM member WHERE merchant_id = $1 AND id = $2 FOR NO KEY UPDATE",
      registration.merchantId,
      registration.memberId,
    );
    const present = await transaction.query(`SELECT FROM notification_registration WHERE ${OF_OWNER}`, ...owner);
    if (present.length >= maximum) return false;
    const { id, channel, address, urlSealed, secretSealed, createdAt } = registration;
    await transaction.query(
      `INSERT INTO notification_registration
         (merchant_id, member_id, environment, types, pace, time_zone, daily_at, quiet_from, quiet_until, id, channel,
          address, url_sealed, secret_sealed, created_at)
       VALUES ($1, $2, $3, $4::text[], $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::timestamptz)`,
      ...owner,
      ...termValues(registration),
      id,
      channel,
      address,
      urlSealed,
      secretSealed,
      createdAt,
    );
    await record(transaction, "create", [null, registration], act);
    return true;
  });
}

/** Runs the work on the owner's registration under its lock; null without it. */
function onRegistration<Result>(
  owner: RegistrationOwner,
  id: string,
  work: (transaction: Transaction, present: Registration) => Promise<Result>,
): Promise<Result | null> {
  return inTransaction(async (transaction) => {
    const [row] = await transaction.query<RegistrationRow>(
      `SELECT ${COLUMNS} FROM notification_registration WHERE ${OF_OWNER} AND id = $4 FOR NO KEY UPDATE`,
      ...ownerValues(owner),
      id,
    );
    return row ? work(transaction, fromRow(row)) : null;
  });
}

/** Changes the terms; what waits for its first attempt is then due at `dueAt`. Null without the registration. */
export function updateRegistration(
  owner: RegistrationOwner,
  id: string,
  terms: RegistrationTerms,
  { act, dueAt }: { readonly act: Act; readonly dueAt: Date },
): Promise<Registration | null> {
  return onRegistration(owner, id, async (transaction, before) => {
    await transaction.query(
      `UPDATE notification_registration
       SET types = $3::text[], pace = $4, time_zone = $5, daily_at = $6, quiet_from = $7, quiet_until = $8
       WHERE merchant_id = $1 AND id = $2`,
      owner.merchantId,
      id,
      ...termValues(terms),
    );
    await transaction.query(
      `UPDATE notification SET due_at = $3::timestamptz
       WHERE merchant_id = $1 AND registration_id = $2 AND state = 'pending' AND message_id IS NULL`,
      owner.merchantId,
      id,
      dueAt,
    );
    const after = { ...before, ...terms };
    await record(transaction, "update", [before, after], act);
    return after;
  });
}

/** Deletes a registration with everything that waits for it; null without it. */
export function deleteRegistration(owner: RegistrationOwner, id: string, act: Act): Promise<Registration | null> {
  return onRegistration(owner, id, async (transaction, before) => {
    await transaction.query(
      "DELETE FROM notification_registration WHERE merchant_id = $1 AND id = $2",
      owner.merchantId,
      id,
    );
    await record(transaction, "delete", [before, null], act);
    return before;
  });
}
