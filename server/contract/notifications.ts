// What a member, or the operator, states of a registration for notifications.
import { z } from "zod";
import { CHANNELS, NOTIFICATION_TYPES } from "@/server/domain/notification";
import { PACES } from "@/server/domain/notification-time";
import { object, text } from "./fields";

/** A time of day, such as "21:30". */
const timeOfDay = z
  .string({ error: "must be a string" })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: "must be a time of day such as 21:30" });

export const registrationTerms = object({
  types: z
    .array(z.enum(NOTIFICATION_TYPES, { error: `must be of ${NOTIFICATION_TYPES.join(", ")}` }))
    .min(1, { error: "must name at least one type" })
    .max(NOTIFICATION_TYPES.length),
  pace: z.enum(PACES, { error: `must be one of ${PACES.join(", ")}` }),
  /** An IANA name. */
  time_zone: text(1, 64),
  daily_at: timeOfDay,
  quiet_hours: object({ from: timeOfDay, until: timeOfDay })
    .refine(({ from, until }) => from !== until, { error: "must begin and end at different times" })
    .nullable(),
});

export const createRegistrationBody = registrationTerms.extend({
  channel: z.enum(CHANNELS, { error: `must be one of ${CHANNELS.join(", ")}` }),
  /** Null for mail. */
  url: text(1, 2_048).nullable(),
});
