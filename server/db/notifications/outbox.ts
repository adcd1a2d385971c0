// The outbox: notifications are inserted once per fact, claimed as messages, and ended.
import type { Channel, NotificationState, SentType } from "@/server/domain/notification";
import type { NotificationSchedule } from "@/server/domain/notification-time";
import type { Environment } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { query, queryAcrossMerchants } from "../client";
import { type RegistrationRow, scheduleOf } from "./registrations";

export interface NewNotification {
  readonly merchantId: string;
  readonly registrationId: string;
  readonly aboutMerchantId: string;
  readonly type: SentType;
  readonly objectId: string;
  readonly fact: string;
  readonly dueAt: Date;
}

/** A registration that is deleted meanwhile gets nothing; one that is not deleted stays until the commit. */
const INSERT = `
  WITH new AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS x(
      merchant_id text, id text, registration_id text, about_merchant_id text, type text, object_id text, fact text,
      due_at timestamptz)
  ),
  present AS (
    SELECT merchant_id, id FROM notification_registration
    WHERE (merchant_id, id) IN (SELECT merchant_id, registration_id FROM new)
    ORDER BY merchant_id, id FOR KEY SHARE
  )
  INSERT INTO notification (merchant_id, id, registration_id, about_merchant_id, type, object_id, fact, due_at, created_at)
  SELECT n.merchant_id, n.id, n.registration_id, n.about_merchant_id, n.type, n.object_id, n.fact, n.due_at,
         $2::timestamptz
  FROM new n JOIN present p ON p.merchant_id = n.merchant_id AND p.id = n.registration_id
  ON CONFLICT (merchant_id, registration_id, type, fact) DO NOTHING
  RETURNING id`;

/** Inserts those whose fact its registration has not been notified of; returns how many. */
export async function insertNotificationsAcrossMerchants(
  notifications: readonly NewNotification[],
  at: Date,
): Promise<number> {
  const rows = notifications.map(({ merchantId, registrationId, aboutMerchantId, type, objectId, fact, dueAt }) => ({
    merchant_id: merchantId,
    id: newId("notification"),
    registration_id: registrationId,
    about_merchant_id: aboutMerchantId,
    type,
    object_id: objectId,
    fact,
    due_at: dueAt,
  }));
  return (await queryAcrossMerchants(INSERT, JSON.stringify(rows), at)).length;
}

/** One notification of a message. */
export interface ClaimedNotification {
  readonly id: string;
  readonly aboutMerchantId: string;
  readonly type: SentType;
  readonly objectId: string;
}

/** Notifications that are sent together, which a worker has until its lease ends. */
export interface ClaimedMessage {
  readonly id: string;
  readonly merchantId: string;
  readonly registrationId: string;
  /** The number of the attempt, from 1; also the lease. */
  readonly attempt: number;
  readonly environment: Environment;
  readonly memberId: string | null;
  readonly channel: Channel;
  readonly address: string | null;
  readonly urlSealed: string | null;
  readonly secretSealed: string | null;
  readonly schedule: NotificationSchedule;
  readonly notifications: readonly ClaimedNotification[];
}

/**
 * The longest overdue notification, with what is sent together with it: the rest of its message, or, before the first
 * attempt, everything that is due for the registration. A webhook message has one type.
 */
const CLAIM = `
  WITH head AS MATERIALIZED (
    SELECT merchant_id, id, registration_id, message_id, type FROM notification
    WHERE state = 'pending' AND due_at <= $1::timestamptz ORDER BY due_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
  ),
  chosen AS MATERIALIZED (
    SELECT n.merchant_id, n.id, coalesce(n.message_id, h.id) AS message_id
    FROM head h
    JOIN notification_registration r ON r.merchant_id = h.merchant_id AND r.id = h.registration_id
    JOIN notification n ON n.merchant_id = h.merchant_id AND n.registration_id = h.registration_id
    WHERE n.state = 'pending' AND n.due_at <= $1::timestamptz AND n.message_id IS NOT DISTINCT FROM h.message_id
      AND (n.type = h.type OR r.channel <> 'webhook')
    ORDER BY (n.id = h.id) DESC, n.id LIMIT $3 FOR NO KEY UPDATE OF n SKIP LOCKED
  ),
  claimed AS (
    UPDATE notification n
    SET message_id = c.message_id, attempts = attempts + 1, due_at = $1::timestamptz + $2 * interval '1 millisecond'
    FROM chosen c WHERE n.merchant_id = c.merchant_id AND n.id = c.id
    RETURNING n.id AS notification_id, n.registration_id, n.merchant_id, n.message_id, n.attempts, n.about_merchant_id,
              n.type, n.object_id
  )
  SELECT c.*, r.environment, r.member_id, r.channel, r.address, r.url_sealed, r.secret_sealed, r.pace, r.time_zone,
         r.daily_at, r.quiet_from, r.quiet_until
  FROM claimed c
  JOIN notification_registration r ON r.merchant_id = c.merchant_id AND r.id = c.registration_id
  ORDER BY c.notification_id`;

interface ClaimedRow extends RegistrationRow {
  notification_id: string;
  registration_id: string;
  message_id: string;
  attempts: number;
  about_merchant_id: string;
  type: SentType;
  object_id: string;
}

/** Claims one due message of at most `size` notifications for `leaseMs`; null if none is due. */
export async function claimMessageAcrossMerchants(
  at: Date,
  leaseMs: number,
  size: number,
): Promise<ClaimedMessage | null> {
  const rows = await queryAcrossMerchants<ClaimedRow>(CLAIM, at, leaseMs, size);
  const [first] = rows;
  if (!first) return null;
  return {
    id: first.message_id,
    merchantId: first.merchant_id,
    registrationId: first.registration_id,
    attempt: first.attempts,
    environment: first.environment,
    memberId: first.member_id,
    channel: first.channel,
    address: first.address,
    urlSealed: first.url_sealed,
    secretSealed: first.secret_sealed,
    schedule: scheduleOf(first),
    notifications: rows.map((row) => ({
      id: row.notification_id,
      aboutMerchantId: row.about_merchant_id,
      type: row.type,
      objectId: row.object_id,
    })),
  };
}

/** What an attempt comes to, for some or all of a message's notifications. */
export interface AttemptEnd {
  readonly state: NotificationState;
  /** The next attempt; null unless pending. */
  readonly dueAt: Date | null;
  readonly failure: string | null;
}

/** Ends an attempt for the notifications, or schedules the next one; does nothing if the lease has passed on. */
export async function endAttempt(
  { merchantId, attempt }: Pick<ClaimedMessage, "merchantId" | "attempt">,
  ids: readonly string[],
  { state, dueAt, failure }: AttemptEnd,
  at: Date,
): Promise<void> {
  await query(
    `UPDATE notification
     SET state = $4, due_at = $5::timestamptz, failure = $6,
         ended_at = CASE WHEN $4 <> 'pending' THEN greatest(created_at, $7::timestamptz) END
     WHERE merchant_id = $1 AND id = ANY($2::text[]) AND attempts = $3 AND state = 'pending'`,
    merchantId,
    ids,
    attempt,
    state,
    dueAt,
    failure,
    at,
  );
}

/** Deletes notifications of an attempt, so that their facts are found again; does nothing if the lease has passed on. */
export async function forgetNotifications(
  { merchantId, attempt }: Pick<ClaimedMessage, "merchantId" | "attempt">,
  ids: readonly string[],
): Promise<void> {
  await query(
    `DELETE FROM notification WHERE merchant_id = $1 AND id = ANY($2::text[]) AND attempts = $3 AND state = 'pending'`,
    merchantId,
    ids,
    attempt,
  );
}

/**
 * Takes notifications out of their message: sent later, they are another one, which a receiver that knows the first must not take
 * for its repetition. Does nothing if the lease has passed on.
 */
export async function takeOutOfMessage(
  { merchantId, attempt }: Pick<ClaimedMessage, "merchantId" | "attempt">,
  ids: readonly string[],
): Promise<void> {
  await query(
    `UPDATE notification SET message_id = NULL, attempts = 0
     WHERE merchant_id = $1 AND id = ANY($2::text[]) AND attempts = $3 AND state = 'pending'`,
    merchantId,
    ids,
    attempt,
  );
}

/** A message as its receiver sees its course. */
export interface MessageRecord {
  readonly id: string;
  readonly registrationId: string;
  readonly types: readonly SentType[];
  readonly count: number;
  readonly state: NotificationState;
  readonly attempts: number;
  readonly failure: string | null;
  /** The next attempt of a pending message. */
  readonly dueAt: Date | null;
  readonly endedAt: Date | null;
}

/** The last `count` messages of a registration, newest first. Notifications that were skipped do not count. */
export function listMessages(merchantId: string, registrationId: string, count: number): Promise<MessageRecord[]> {
  return query<MessageRecord>(
    `SELECT message_id AS id, registration_id AS "registrationId", array_agg(DISTINCT type ORDER BY type) AS types,
            count(*)::int AS count, min(state) AS state, max(attempts) AS attempts, max(failure) AS failure,
            max(due_at) AS "dueAt", max(ended_at) AS "endedAt"
     FROM notification
     WHERE merchant_id = $1 AND registration_id = $2 AND message_id IS NOT NULL AND state <> 'skipped'
     GROUP BY message_id, registration_id ORDER BY message_id DESC LIMIT $3`,
    merchantId,
    registrationId,
    count,
  );
}

/** Deletes up to `count` notifications that ended more than `days` ago; returns how many. */
export async function reapNotificationsAcrossMerchants(days: number, count: number): Promise<number> {
  const rows = await queryAcrossMerchants(
    `WITH old AS MATERIALIZED (
       SELECT merchant_id, id FROM notification
       WHERE ended_at < now() - $1::int * interval '1 day' ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     DELETE FROM notification n USING old WHERE n.merchant_id = old.merchant_id AND n.id = old.id
     RETURNING n.id`,
    days,
    count,
  );
  return rows.length;
}
