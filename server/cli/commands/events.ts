import { ENVIRONMENTS } from "@/server/domain/scope";
import { presentDelivery } from "@/server/http/present/webhook";
import { resendEvent } from "@/server/services/webhooks/resend";
import { defineCommand, oneOf, required } from "../command";

export const events = defineCommand({
  name: "events resend",
  summary: "Send an event again, to each endpoint that was to receive it",
  cells: "merchant",
  options: {
    id: required("ID", "the event"),
    merchant: required("ID", "the merchant"),
    environment: oneOf(ENVIRONMENTS, "the event's environment"),
  },
  run: async ({ id, merchant, environment }) => {
    const deliveries = await resendEvent({ merchantId: merchant, environment }, id);
    return { id, deliveries: deliveries.map(presentDelivery) };
  },
});
