// The facts that registrations have not been notified of yet, found in the tables that they are stored in. A fact that ends
// before it is found is never notified. One that stands is found in a later round if a worker dies in this one.
import { ACT_FOR, type NotificationType, OPERATOR_TYPES, type OperatorType } from "@/server/domain/notification";
import type { NotificationSchedule } from "@/server/domain/notification-time";
import { APPROVAL_LAPSE_DAYS } from "@/server/domain/payout-intent";
import { rolesFor } from "@/server/domain/permissions";
import { queryAcrossMerchants } from "../client";
import { decidable } from "../intents/conditions";
import { aheadOf } from "../merchant-time";
import { type RegistrationRow, scheduleOf } from "./registrations";

/** A fact that a registration is to be notified of. */
export interface NewFact {
  readonly merchantId: string;
  readonly registrationId: string;
  readonly schedule: NotificationSchedule;
  readonly aboutMerchantId: string;
  readonly objectId: string;
  readonly fact: string;
}

/** The most facts of one type that one registration is compared with. */
const COMPARED = 1_000;
/** Notices of changes of authority that are older are no news, for example after a long outage. */
const NOTICE_DAYS = 3;

const WAITING = `
  SELECT merchant_id, id AS object_id, id AS fact FROM payout_intent
  WHERE merchant_id = r.merchant_id AND environment = r.environment AND ${decidable("r.member_id")}`;

/** True for an endpoint that its merchant is notified of. */
export const IS_FAILING = "deleted_at IS NULL AND (warned_hours > 0 OR state = 'disabled')";

/** A warning after more hours, a new period of failing and the end of sending are facts of their own. */
const FAILING = `
  SELECT merchant_id, id AS object_id,
         id || CASE state WHEN 'disabled' THEN ':disabled:' || extract(epoch FROM disabled_at)
               ELSE ':failing:' || extract(epoch FROM failing_since) || ':' || warned_hours END AS fact
  FROM webhook_endpoint WHERE ${IS_FAILING}`;

const OPEN_EXCEPTIONS = "SELECT merchant_id, id AS object_id, id AS fact FROM exception WHERE resolved_at IS NULL";

/** An exception that is assigned again this soon after its notification is not notified again. */
const ASSIGNED_AGAIN_HOURS = 1;

/**
 * What a colleague assigned to the member. Assigned to others and back within the hour, it is no news, unless the first
 * notification was skipped because others owned it when it was due.
 */
const ASSIGNED = `
  SELECT merchant_id, id AS object_id, id || ':' || extract(epoch FROM assigned_at) AS fact FROM exception x
  WHERE resolved_at IS NULL AND merchant_id = r.merchant_id AND environment = r.environment AND owner_id = r.member_id
    AND assigned_by <> r.member_id AND NOT EXISTS (
      SELECT FROM notification n
      WHERE n.merchant_id = r.merchant_id AND n.registration_id = r.id AND n.type = 'exception_assigned'
        AND n.object_id = x.id AND n.state <> 'skipped'
        AND n.created_at > x.assigned_at - interval '${ASSIGNED_AGAIN_HOURS} hour')
  ORDER BY assigned_at DESC`;

/** Notices since `begin`, which may be null, and of the last days. */
const noticesSince = (begin: string) => `
  SELECT DISTINCT merchant_id, entry_id AS object_id, entry_id AS fact, created_at FROM authority_notice
  WHERE created_at >= greatest(${begin}, $2::timestamptz - interval '${NOTICE_DAYS} days')`;

/**
 * The operator's registrations in a cell can be younger than what waited to be sent where a merchant comes from, which then ends
 * there.
 */
const REGISTERED_OR_ARRIVED = `
  CASE WHEN NOT EXISTS (SELECT FROM merchant_stay s WHERE s.merchant = authority_notice.merchant_id) THEN r.created_at END`;

const OWN = "AND merchant_id = r.merchant_id AND environment = r.environment";

/** SQL of the facts of a member's registration `r`. */
const OF_MEMBER: Readonly<Record<NotificationType, string>> = {
  approval_waiting: `${WAITING} ORDER BY created_at DESC`,
  approval_lapsing: `${WAITING} AND created_at <= $2::timestamptz
      + ${aheadOf({ merchant: "r.merchant_id", environment: "r.environment" })}
      - interval '${APPROVAL_LAPSE_DAYS - 1} days' ORDER BY created_at`,
  refund_proposed: `
    SELECT merchant_id, id AS object_id, id AS fact FROM suspense_refund
    WHERE state = 'proposed' AND proposed_by_id <> r.member_id ${OWN} ORDER BY proposed_at DESC`,
  exception_opened: `${OPEN_EXCEPTIONS} ${OWN} ORDER BY opened_at DESC`,
  exception_assigned: ASSIGNED,
  endpoint_failing: `${FAILING} ${OWN}`,
  policy_proposed: `
    SELECT merchant_id, version::text AS object_id, version::text AS fact FROM approval_policy
    WHERE state = 'proposed' AND proposed_by_id <> r.member_id ${OWN}`,
  topup_terms_proposed: `
    SELECT merchant_id, id AS object_id, id AS fact FROM topup_policy_proposal
    WHERE state = 'proposed' AND proposed_by_id <> r.member_id ${OWN}`,
  security: `${noticesSince("r.created_at")} AND merchant_id = r.merchant_id AND member_id = r.member_id ORDER BY created_at DESC`,
};

/** SQL of the facts of an operator's registration `r`: of every merchant, and of none. */
const OF_OPERATOR: Readonly<Record<OperatorType, string>> = {
  exception_opened: `${OPEN_EXCEPTIONS} AND environment = r.environment ORDER BY opened_at DESC`,
  endpoint_failing: `${FAILING} AND environment = r.environment`,
  security: `${noticesSince(REGISTERED_OR_ARRIVED)} ORDER BY created_at DESC`,
};

const MEMBERS = `notification_registration r
  JOIN member m ON m.merchant_id = r.merchant_id AND m.id = r.member_id AND m.disabled_at IS NULL
    AND ($4::text[] IS NULL
      OR CASE r.environment WHEN 'test' THEN coalesce(m.test_roles, m.roles) ELSE m.roles END && $4::text[])`;

const OPERATORS = "(SELECT * FROM notification_registration WHERE merchant_id = '') r";

/** $1 the type, $2 the time, $3 the most facts, $4 the roles that receive the type, null for every role. */
const findNew = (registrations: string, facts: string) => `
  SELECT r.merchant_id, r.id, r.pace, r.time_zone, r.daily_at, r.quiet_from, r.quiet_until,
         f.merchant_id AS about_merchant_id, f.object_id, f.fact
  FROM ${registrations}
  CROSS JOIN LATERAL (${facts} LIMIT ${COMPARED}) f
  WHERE $1 = ANY(r.types) AND r.created_at <= $2::timestamptz AND NOT EXISTS (
    SELECT FROM notification n
    WHERE n.merchant_id = r.merchant_id AND n.registration_id = r.id AND n.type = $1 AND n.fact = f.fact)
  LIMIT $3`;

interface Row extends RegistrationRow {
  about_merchant_id: string;
  object_id: string;
  fact: string;
}

const newFact = (row: Row): NewFact => ({
  merchantId: row.merchant_id,
  registrationId: row.id,
  schedule: scheduleOf(row),
  aboutMerchantId: row.about_merchant_id,
  objectId: row.object_id,
  fact: row.fact,
});

function isOperators(type: NotificationType): type is OperatorType {
  return OPERATOR_TYPES.some((known) => known === type);
}

/** Up to `count` new facts of the type for members whose roles receive it, and as many for the operator. */
export async function findNewFactsAcrossMerchants(type: NotificationType, at: Date, count: number): Promise<NewFact[]> {
  const act = ACT_FOR[type];
  const roles = act && [...rolesFor(act)];
  const ofMembers = await queryAcrossMerchants<Row>(findNew(MEMBERS, OF_MEMBER[type]), type, at, count, roles);
  if (!isOperators(type)) return ofMembers.map(newFact);
  const ofOperator = await queryAcrossMerchants<Row>(findNew(OPERATORS, OF_OPERATOR[type]), type, at, count);
  return [...ofMembers, ...ofOperator].map(newFact);
}
