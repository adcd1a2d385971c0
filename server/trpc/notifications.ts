// The dashboard's procedures on the member's own registrations for notifications.
import { z } from "zod";
import { createRegistrationBody, registrationTerms } from "@/server/contract/notifications";
import { stepUpProof } from "@/server/contract/step-up";
import { ACT_FOR, MAXIMUM_REGISTRATIONS, NOTIFICATION_TYPES } from "@/server/domain/notification";
import { presentRegistration, readTerms } from "@/server/http/present/notifications";
import { canSendMail } from "@/server/platform/mail";
import {
  changeRegistration,
  endRegistration,
  registerForNotifications,
  showRegistrations,
  testRegistration,
} from "@/server/services/notifications/registrations";
import { requireProof } from "@/server/services/sign-in/step-up";
import { memberProcedure, router } from "./procedures";

/** Every role receives some type; what a role may not see is not sent. */
const own = memberProcedure("read_intents");
const registration = z.object({ id: z.string().max(64) });

export const notificationsRouter = router({
  /** With the types that the member's roles receive in the environment. */
  list: own.query(async ({ ctx: { call, allows } }) => ({
    registrations: (await showRegistrations(call)).map(presentRegistration),
    types: NOTIFICATION_TYPES.filter((type) => {
      const act = ACT_FOR[type];
      return act === null || allows(act);
    }),
    can_mail: canSendMail(),
    maximum: MAXIMUM_REGISTRATIONS,
  })),

  /** Returns the signing secret of a webhook, shown only once. */
  create: own.input(createRegistrationBody.extend(stepUpProof.shape)).mutation(async ({ ctx: { call }, input }) => {
    const { channel, url } = input;
    // Whoever has the session for a moment would go on receiving there.
    if (channel !== "mail") await requireProof(call, input);
    const made = await registerForNotifications(call, { ...readTerms(input), channel, url, address: null });
    return { registration: presentRegistration(made.registration), secret: made.secret };
  }),

  /** The destination stays: another one is another registration. */
  update: own
    .input(registrationTerms.extend(registration.shape))
    .mutation(async ({ ctx: { call }, input }) =>
      presentRegistration(await changeRegistration(call, input.id, readTerms(input))),
    ),

  /** Sends a test within seconds, at most one a minute. */
  test: own.input(registration).mutation(async ({ ctx: { call }, input: { id } }) => {
    await testRegistration(call, id);
    return { id };
  }),

  remove: own.input(registration).mutation(async ({ ctx: { call }, input: { id } }) => {
    await endRegistration(call, id);
    return { id };
  }),
});
