// The REST operations on webhook endpoints, all extensions.
import { pageOf } from "@/server/contract/lists";
import {
  changedEndpoint,
  createEndpointBody,
  deletedEndpoint,
  endpointResource,
  endpointWithSecret,
  nothingBody,
  plainListQuery,
  replayBody,
  replayResource,
  testBody,
  testResource,
  updateEndpointBody,
} from "@/server/contract/webhooks";
import { createWebhookEndpoint } from "@/server/services/webhooks/create-endpoint";
import {
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
} from "@/server/services/webhooks/endpoints";
import { replayToEndpoint } from "@/server/services/webhooks/replay";
import { testWebhookEndpoint } from "@/server/services/webhooks/test-endpoint";
import { updateWebhookEndpoint } from "@/server/services/webhooks/update-endpoint";
import { presentPage, readInstant, readListQuery } from "../list";
import { type Operation, read, write } from "../operation";
import {
  presentChangedEndpoint,
  presentDeletedEndpoint,
  presentEndpoint,
  presentEndpointWithSecret,
  presentReplay,
  presentTest,
} from "../present/webhook";

const PATH = "/webhook_endpoints";
const SHARED = {
  tag: "Webhook endpoints",
  keyScope: "webhook_endpoints:write",
  extension: true,
  idempotencyKey: "optional",
  worksWhileSuspended: true,
} as const;

const reading: readonly Operation[] = [
  read({
    id: "listWebhookEndpoints",
    keyScope: "webhook_endpoints:read",
    path: PATH,
    tag: "Webhook endpoints",
    summary: "List webhook endpoints, newest first",
    extension: true,
    query: plainListQuery,
    answers: { 200: { schema: pageOf(endpointResource, "WebhookEndpointPage"), meaning: "One page." } },
    errors: [],
    run: async ({ context: { scope }, query }) => {
      const { after, limit } = readListQuery(scope, PATH, query);
      return presentPage(scope, PATH, await listWebhookEndpoints(scope, after, limit), presentEndpoint);
    },
  }),
  read({
    id: "getWebhookEndpoint",
    keyScope: "webhook_endpoints:read",
    path: `${PATH}/:id`,
    tag: "Webhook endpoints",
    summary: "Read a webhook endpoint",
    extension: true,
    query: null,
    answers: { 200: { schema: endpointResource, meaning: "The endpoint." } },
    errors: ["not_found"],
    run: async ({ context, params }) => presentEndpoint(await getWebhookEndpoint(context.scope, params.id ?? "")),
  }),
];

const changing: readonly Operation[] = [
  write({
    ...SHARED,
    id: "createWebhookEndpoint",
    worksWhileSuspended: false,
    path: PATH,
    summary: "Create a webhook endpoint",
    description:
      "The endpoint receives new events of the key's environment, of the types it subscribes to. At most ten per environment. " +
      "The secret that verifies signatures is shown only once.",
    body: createEndpointBody,
    isConfidential: true,
    answers: { 201: { schema: endpointWithSecret, meaning: "The new endpoint, with its secret." } },
    errors: ["merchant_suspended"],
    present: presentEndpointWithSecret,
    verb: ({ context, body }, sealing) =>
      createWebhookEndpoint(
        context,
        { url: body.url, description: body.description ?? "", eventTypes: body.event_types ?? null },
        sealing,
      ),
  }),
  write({
    ...SHARED,
    id: "updateWebhookEndpoint",
    method: "PATCH",
    path: `${PATH}/:id`,
    summary: "Change, pause or enable a webhook endpoint",
    description:
      "Deliveries to a paused endpoint wait and are sent when it is enabled. Deliveries to a disabled endpoint are " +
      "not sent when it is enabled; `missed` states how many a replay would send.",
    body: updateEndpointBody,
    answers: { 200: { schema: changedEndpoint, meaning: "The endpoint after the change." } },
    errors: ["not_found"],
    present: presentChangedEndpoint,
    verb: ({ context, params, body }, sealing) =>
      updateWebhookEndpoint(
        context,
        {
          id: params.id ?? "",
          url: body.url,
          description: body.description,
          eventTypes: body.event_types,
          state: body.state,
        },
        sealing,
      ),
  }),
  write({
    ...SHARED,
    id: "deleteWebhookEndpoint",
    method: "DELETE",
    path: `${PATH}/:id`,
    summary: "Delete a webhook endpoint",
    description: "Deletes the endpoint permanently. Pending deliveries are not sent.",
    body: nothingBody,
    bodyOptional: true,
    answers: { 200: { schema: deletedEndpoint, meaning: "The endpoint was deleted." } },
    errors: ["not_found"],
    present: presentDeletedEndpoint,
    verb: ({ context, params }, sealing) => deleteWebhookEndpoint(context, params.id ?? "", sealing),
  }),
  write({
    ...SHARED,
    id: "rotateWebhookSecret",
    path: `${PATH}/:id/rotate_secret`,
    summary: "Rotate the secret of a webhook endpoint",
    description:
      "For 24 hours, deliveries are signed with both the previous and the new secret. The new secret is shown only once.",
    body: nothingBody,
    bodyOptional: true,
    isConfidential: true,
    answers: { 200: { schema: endpointWithSecret, meaning: "The endpoint, with its new secret." } },
    errors: ["not_found"],
    present: presentEndpointWithSecret,
    verb: ({ context, params }, sealing) => rotateWebhookSecret(context, params.id ?? "", sealing),
  }),
];

const sending: readonly Operation[] = [
  write({
    ...SHARED,
    id: "testWebhookEndpoint",
    path: `${PATH}/:id/test`,
    summary: "Send a test event to a webhook endpoint",
    description:
      "Sends one signed example event immediately, with the header `webhook-test: true`. Returns the result within " +
      "10 seconds. The intent in the example does not exist.",
    body: testBody,
    bodyOptional: true,
    answers: { 200: { schema: testResource, meaning: "The request that was sent, and its response." } },
    errors: ["not_found"],
    present: presentTest,
    verb: ({ context, params, body }, sealing) =>
      testWebhookEndpoint(context, { id: params.id ?? "", type: body.type ?? "payment_intent.succeeded" }, sealing),
  }),
  write({
    ...SHARED,
    id: "replayToWebhookEndpoint",
    path: `${PATH}/:id/replay`,
    summary: "Replay missed events to a webhook endpoint",
    description:
      "Sends events since the given time that failed, were skipped, or were never scheduled for the endpoint but are of a " +
      "type it subscribes to now. Event ids and body bytes do not change. At most 5,000 events per call.",
    body: replayBody,
    answers: { 202: { schema: replayResource, meaning: "The number of deliveries that are now due." } },
    errors: ["not_found"],
    present: presentReplay,
    verb: ({ context, params, body }, sealing) =>
      replayToEndpoint(context, { id: params.id ?? "", since: readInstant("since", body.since) }, sealing),
  }),
];

export const webhookEndpointOperations: readonly Operation[] = [...changing, ...reading, ...sending];
