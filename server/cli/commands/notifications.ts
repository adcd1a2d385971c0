import { createRegistrationBody } from "@/server/contract/notifications";
import { validationError } from "@/server/domain/errors";
import { NOBODY } from "@/server/domain/exceptions";
import { CHANNELS, OPERATOR_TYPES } from "@/server/domain/notification";
import { ENVIRONMENTS, type Environment } from "@/server/domain/scope";
import { presentRegistration, readTerms } from "@/server/http/present/notifications";
import { validate } from "@/server/http/validate";
import {
  endRegistration,
  registerForNotifications,
  showRegistrations,
  testRegistration,
} from "@/server/services/notifications/registrations";
import { asOperator } from "../acting-as";
import { type Command, defineCommand, oneOf, optional, required } from "../command";
import { splitList } from "../lists";

/** The operator's registrations belong to no merchant. */
const operatorOf = (environment: Environment) => asOperator({ merchantId: NOBODY, environment });

/** Reads `22:00-07:00`. */
function readQuietHours(text: string | null): { readonly from: string; readonly until: string } | null {
  if (text === null) return null;
  const [from = "", until = "", ...rest] = text.split("-");
  if (rest.length > 0) throw validationError("quiet-hours", "must be two times of day such as 22:00-07:00");
  return { from, until };
}

const ENVIRONMENT = oneOf(ENVIRONMENTS, "whose exceptions and endpoints");

const add = defineCommand({
  name: "notifications add",
  summary: "Send notifications of all merchants to an address or URL; the secret of a webhook is shown only once",
  cells: "every",
  options: {
    environment: ENVIRONMENT,
    channel: oneOf(CHANNELS, "how they are sent"),
    email: optional("ADDRESS", "for mail"),
    url: optional("URL", "for slack and webhook"),
    types: optional("LIST", `of ${OPERATOR_TYPES.join(",")}; all by default`),
    pace: optional("PACE", "immediate, hourly or daily; immediate by default"),
    timeZone: optional("ZONE", "of the times below, such as America/Sao_Paulo; UTC by default"),
    dailyAt: optional("HH:MM", "when the daily message is sent; 09:00 by default"),
    quietHours: optional("HH:MM-HH:MM", "when nothing is sent, such as 22:00-07:00; none by default"),
  },
  run: async ({ environment, channel, email, url, types, pace, timeZone, dailyAt, quietHours }) => {
    if ((channel === "mail") !== (email !== null))
      throw validationError("email", channel === "mail" ? "is required" : "is for mail only");
    const terms = {
      types: types === null ? [...OPERATOR_TYPES] : splitList(types),
      pace: pace ?? "immediate",
      time_zone: timeZone ?? "UTC",
      daily_at: dailyAt ?? "09:00",
      quiet_hours: readQuietHours(quietHours),
    };
    const checked = validate(createRegistrationBody, { ...terms, channel, url }, "body");
    const command = { ...readTerms(checked), channel, url, address: email };
    const { registration, secret } = await registerForNotifications(operatorOf(environment), command);
    return { ...presentRegistration(registration), secret };
  },
});

const list = defineCommand({
  name: "notifications list",
  summary: "List where the operator's notifications go, with the last messages",
  cells: "every",
  options: { environment: ENVIRONMENT },
  run: async ({ environment }) => ({
    data: (await showRegistrations(operatorOf(environment))).map(presentRegistration),
  }),
});

const OF_REGISTRATION = { environment: ENVIRONMENT, id: required("ID", "as listed") };

const test = defineCommand({
  name: "notifications test",
  summary: "Have the worker send a test message, at most one a minute",
  cells: "id",
  options: OF_REGISTRATION,
  run: async ({ environment, id }) => {
    await testRegistration(operatorOf(environment), id);
    return { id, queued: true };
  },
});

const remove = defineCommand({
  name: "notifications remove",
  summary: "Send no more notifications there",
  cells: "id",
  options: OF_REGISTRATION,
  run: async ({ environment, id }) => {
    await endRegistration(operatorOf(environment), id);
    return { id, removed: true };
  },
});

export const notifications: readonly Command[] = [add, list, test, remove];
