// The wire form of the API log: the queries of the REST interface and of the dashboard, and the logged calls.
import { z } from "zod";
import { ALL_BUT_GET, API_METHODS } from "../domain/api-method";
import { environment, idOf, kindOf, timestamp } from "./fields";
import { createdBounds, cursor, limit } from "./lists";

/** 2xx, 4xx, 5xx: no answer of the API redirects. */
const STATUS_CLASSES = ["2", "4", "5"] as const;

const METHOD = { error: `must be one of ${API_METHODS.join(", ")}` };
const STATUS_CLASS = { error: `must be one of ${STATUS_CLASSES.join(", ")}` };

/** The query of the REST interface, an extension of the interface document. */
export const apiLogsQuery = z.object({
  status_class: z
    .enum(STATUS_CLASSES, STATUS_CLASS)
    .optional()
    .meta({ description: "The first digit of the status: `2`, `4` or `5`." }),
  method: z.enum(API_METHODS, METHOD).optional().meta({ description: "The HTTP method of the calls." }),
  ...createdBounds,
  cursor: cursor.optional(),
  limit: limit.optional(),
});

/** The dashboard's query. */
export const listApiLogsQuery = apiLogsQuery.extend({
  method: z.enum([...API_METHODS, ALL_BUT_GET], METHOD).optional(),
  api_key: z.string().max(64).optional(),
  request_id: z.string().max(64).optional(),
  object_id: z.string().max(64).optional(),
});

const loggedCall = {
  object: kindOf("api_log"),
  id: idOf("req").meta({ description: "The `Request-Id` of the answer." }),
  environment: environment.meta({ description: "The environment of the API key that made the call." }),
  method: z.string().meta({ description: "The HTTP method." }),
  route: z
    .string()
    .nullable()
    .meta({ description: "The path of the operation, such as `/payment_intents/:id`; null if none ran." }),
  path: z.string().meta({ description: "The path and query that were called, at most 1,024 characters." }),
  status: z.number().int().meta({ description: "The HTTP status of the answer." }),
  duration_ms: z.number().meta({ description: "The time until the answer, in milliseconds." }),
  address: z.string().nullable().meta({ description: "The address of the caller; null if unknown." }),
  api_key: z
    .object({
      id: z.string().meta({ description: "The id of the API key." }),
      name: z.string().nullable().meta({ description: "The name of the API key; null if unknown." }),
    })
    .meta({ description: "The API key that made the call." }),
  created_at: timestamp.meta({ description: "The time of the call, by the service's clock, in test too." }),
};

export const apiLogResource = z.object(loggedCall).meta({ id: "ApiLog" });

const body = (whose: string) =>
  z
    .string()
    .nullable()
    .meta({
      description:
        `The first 4,096 characters of the ${whose} body as JSON; values that are secret or personal are \`[hidden]\`. ` +
        "Null without a body, or if it was too long to read.",
    });

export const apiLogWithBodies = z
  .object({
    ...loggedCall,
    request_body: body("request's"),
    response_body: body("answer's"),
  })
  .meta({ id: "ApiLogWithBodies" });

export type ApiLogResource = z.infer<typeof apiLogResource>;
export type ApiLogWithBodies = z.infer<typeof apiLogWithBodies>;
