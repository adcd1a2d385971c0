// The dashboard's procedures on webhook endpoints, with the same verbs as REST.
import { z } from "zod";
import { stepUpProof } from "@/server/contract/step-up";
import { createEndpointBody, testBody, updateEndpointBody } from "@/server/contract/webhooks";
import { MAXIMUM_ENDPOINTS } from "@/server/domain/delivery";
import {
  presentChangedEndpoint,
  presentDeletedEndpoint,
  presentEndpoint,
  presentEndpointWithSecret,
  presentTest,
} from "@/server/http/present/webhook";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { requireStepUp } from "@/server/services/sign-in/step-up";
import { createWebhookEndpoint } from "@/server/services/webhooks/create-endpoint";
import {
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
} from "@/server/services/webhooks/endpoints";
import { healthOfEndpoints, historyOfEndpoint } from "@/server/services/webhooks/health";
import { testWebhookEndpoint } from "@/server/services/webhooks/test-endpoint";
import { updateWebhookEndpoint } from "@/server/services/webhooks/update-endpoint";
import { presentHealth, presentStretch } from "./present/endpoint-health";
import { memberProcedure, router } from "./procedures";

const endpoint = z.object({ id: z.string() });
const actOnEndpoint = endpoint.extend(stepUpProof.shape);
const manage = memberProcedure("manage_webhooks");

export const webhookEndpointsRouter = router({
  /** All endpoints: they always fit on one page. */
  list: manage.query(async ({ ctx: { call } }) => {
    const { rows } = await listWebhookEndpoints(call.scope, null, MAXIMUM_ENDPOINTS);
    return { endpoints: rows.map(presentEndpoint), maximum: MAXIMUM_ENDPOINTS };
  }),

  get: manage
    .input(endpoint)
    .query(async ({ ctx: { call }, input }) => presentEndpoint(await getWebhookEndpoint(call.scope, input.id))),

  /** The health of every endpoint, or of the one named. */
  health: manage
    .input(z.object({ id: z.string().optional() }))
    .query(async ({ ctx: { call }, input }) => (await healthOfEndpoints(call.scope, input.id)).map(presentHealth)),

  /** How the endpoint fared in stretches of the last days, the oldest first. */
  history: manage
    .input(endpoint)
    .query(async ({ ctx: { call }, input }) => (await historyOfEndpoint(call.scope, input.id)).map(presentStretch)),

  /** Returns the secret, shown only once. */
  create: manage.input(createEndpointBody.extend(stepUpProof.shape)).mutation(async ({ ctx: { call }, input }) => {
    await requireStepUp(call, "webhooks", input);
    const { url, description = "", event_types: eventTypes = null } = input;
    const { intent } = await createWebhookEndpoint(call, { url, description, eventTypes }, withoutIdempotency());
    return presentEndpointWithSecret(intent);
  }),

  update: manage.input(updateEndpointBody.extend(actOnEndpoint.shape)).mutation(async ({ ctx: { call }, input }) => {
    const { id, url, description, event_types: eventTypes, state } = input;
    if (url !== undefined) await requireStepUp(call, "webhooks", input);
    const command = { id, url, description, eventTypes, state };
    return presentChangedEndpoint((await updateWebhookEndpoint(call, command, withoutIdempotency())).intent);
  }),

  /** Returns the new secret, shown only once. */
  rotateSecret: manage.input(actOnEndpoint).mutation(async ({ ctx: { call }, input }) => {
    await requireStepUp(call, "webhooks", input);
    return presentEndpointWithSecret((await rotateWebhookSecret(call, input.id, withoutIdempotency())).intent);
  }),

  /** Sends an example and waits up to 10 s for the answer. */
  test: manage.input(testBody.extend(endpoint.shape)).mutation(async ({ ctx: { call }, input }) => {
    const command = { id: input.id, type: input.type ?? "payment_intent.succeeded" } as const;
    return presentTest((await testWebhookEndpoint(call, command, withoutIdempotency())).intent);
  }),

  remove: manage
    .input(endpoint)
    .mutation(async ({ ctx: { call }, input }) =>
      presentDeletedEndpoint((await deleteWebhookEndpoint(call, input.id, withoutIdempotency())).intent),
    ),
});
