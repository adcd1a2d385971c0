// Choosing notifications: a member's own registrations, and the operator's.
import { actOf } from "@/server/db/audit/record";
import { insertNotificationsAcrossMerchants, listMessages, type MessageRecord } from "@/server/db/notifications/outbox";
import {
  deleteRegistration,
  findRegistration,
  insertRegistration,
  listRegistrations,
  type Registration,
  type RegistrationOwner,
  type RegistrationTerms,
  updateRegistration,
} from "@/server/db/notifications/registrations";
import { notFoundError, validationError } from "@/server/domain/errors";
import { type Channel, MAXIMUM_REGISTRATIONS, OPERATOR_TYPES } from "@/server/domain/notification";
import { firstSendAt } from "@/server/domain/notification-time";
import type { CallContext } from "@/server/domain/scope";
import { zoneNamed } from "@/server/domain/wall-clock";
import { now } from "@/server/platform/clock";
import { isId, newId } from "@/server/platform/ids";
import { canSendMail } from "@/server/platform/mail";
import { newWebhookSecret } from "@/server/receivers/signature";
import { requireReceiverUrl } from "../webhooks/receiver-policy";
import { openDestination, sealDestination } from "./destination";

export interface CreateRegistration extends RegistrationTerms {
  readonly channel: Channel;
  /** Of the chat channel or receiver; null for mail. */
  readonly url: string | null;
  /** The operator's mail address; null otherwise. */
  readonly address: string | null;
}

/** A registration without its sealed values. */
export type ShownRegistration = Pick<
  Registration,
  "id" | "channel" | "types" | "schedule" | "createdAt" | "environment"
> & {
  /** The address or host that it sends to; null for mail to the member's own address. */
  readonly target: string | null;
  /** Newest first. */
  readonly messages: readonly MessageRecord[];
};

const SHOWN_MESSAGES = 5;
const MINUTE_MS = 60_000;

/** The owner of the caller's registrations: the calling member, or the operator. */
function ownerOf({ scope, actor }: CallContext): RegistrationOwner {
  return { ...scope, memberId: actor.type === "member" ? actor.id : null };
}

/** The caller's registrations in the environment, oldest first, each with its last five messages. */
export async function showRegistrations(context: CallContext): Promise<ShownRegistration[]> {
  return Promise.all((await listRegistrations(ownerOf(context))).map(show));
}

async function show(registration: Registration): Promise<ShownRegistration> {
  const { id, merchantId, channel, types, schedule, createdAt, environment, address, urlSealed } = registration;
  const messages = await listMessages(merchantId, id, SHOWN_MESSAGES);
  const target = urlSealed === null ? address : hostOf(openDestination(registration, "url", urlSealed));
  return { id, channel, types, schedule, createdAt, environment, target, messages };
}

/** The rest of the URL may be what grants access. */
function hostOf(url: string): string {
  return new URL(url).host;
}

/**
 * Registers the caller for the types. Returns the signing secret of a webhook, shown this once. Throws validation_failed for
 * an unknown zone, for a URL that may not be called, for mail without an SMTP server, and for an eleventh registration.
 */
export async function registerForNotifications(
  context: CallContext,
  { channel, url, address, types, schedule }: CreateRegistration,
): Promise<{ readonly registration: ShownRegistration; readonly secret: string | null }> {
  const owner = ownerOf(context);
  requireTerms({ ...owner, channel }, { types, schedule });
  if (channel === "mail" && !canSendMail()) throw validationError("channel", "cannot be mail: SMTP_URL is not set");
  if ((channel === "mail") !== (url === null))
    throw validationError("url", channel === "mail" ? "is not for mail" : "is required");
  if (url !== null) await requireReceiverUrl(context.scope.environment, url);
  const id = newId("notificationRegistration");
  const place = { merchantId: owner.merchantId, id };
  const secret = channel === "webhook" ? newWebhookSecret() : null;
  const registration: Registration = {
    ...owner,
    id,
    channel,
    address,
    urlSealed: url === null ? null : sealDestination(place, "url", url),
    secretSealed: secret === null ? null : sealDestination(place, "secret", secret),
    types,
    schedule,
    createdAt: now(),
  };
  if (!(await insertRegistration(registration, MAXIMUM_REGISTRATIONS, actOf(context))))
    throw validationError("channel", `cannot be added: there are ${MAXIMUM_REGISTRATIONS} already; delete one first`);
  return { registration: await show(registration), secret };
}

/** Changes what is sent and when. Throws not_found, and validation_failed as above. */
export async function changeRegistration(
  context: CallContext,
  id: string,
  terms: RegistrationTerms,
): Promise<ShownRegistration> {
  const owner = ownerOf(context);
  requireTerms(await find(owner, id), terms);
  const act = actOf(context);
  const effects = { act, dueAt: firstSendAt(terms.schedule, act.at) };
  return show(orNotFound(await updateRegistration(owner, id, terms, effects)));
}

/** Ends a registration; what waits for it is not sent. Throws not_found. */
export async function endRegistration(context: CallContext, id: string): Promise<void> {
  const owner = ownerOf(context);
  await find(owner, id);
  orNotFound(await deleteRegistration(owner, id, actOf(context)));
}

/** Queues a test, at most one a minute; it is sent at once, also in quiet hours. Throws not_found. */
export async function testRegistration(context: CallContext, id: string): Promise<void> {
  const { merchantId } = await find(ownerOf(context), id);
  const at = now();
  const minute = String(Math.floor(at.getTime() / MINUTE_MS));
  const test = { merchantId, registrationId: id, aboutMerchantId: merchantId, objectId: id, fact: minute, dueAt: at };
  await insertNotificationsAcrossMerchants([{ ...test, type: "test" }], at);
}

async function find(owner: RegistrationOwner, id: string): Promise<Registration> {
  return orNotFound(isId("notificationRegistration", id) ? await findRegistration(owner, id) : null);
}

function orNotFound(registration: Registration | null): Registration {
  if (!registration) throw notFoundError();
  return registration;
}

function requireTerms(
  { memberId, channel }: Pick<Registration, "memberId" | "channel">,
  { types, schedule }: RegistrationTerms,
): void {
  const forOperator: readonly string[] = OPERATOR_TYPES;
  if (memberId === null && !types.every((type) => forOperator.includes(type)))
    throw validationError("types", `must be of ${OPERATOR_TYPES.join(", ")}`);
  if (memberId !== null && channel === "mail" && types.includes("security"))
    throw validationError("types", "must not include security for mail: these notices are always mailed");
  // An offset such as +03:00 ignores daylight saving time.
  if (zoneNamed(schedule.timeZone) === null || /^[+-]/.test(schedule.timeZone))
    throw validationError("time_zone", "must be an IANA name such as America/Sao_Paulo");
}
