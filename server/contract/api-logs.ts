// The dashboard's queries of the request log.
import { z } from "zod";
import { cursor, instant, limit } from "./lists";

const API_METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;
/** 2xx, 4xx, 5xx: no answer of the API redirects. */
const STATUS_CLASSES = ["2", "4", "5"] as const;

export const listApiLogsQuery = z.object({
  status_class: z.enum(STATUS_CLASSES).optional(),
  method: z.enum(API_METHODS).optional(),
  api_key: z.string().max(64).optional(),
  request_id: z.string().max(64).optional(),
  object_id: z.string().max(64).optional(),
  created_after: instant.optional(),
  created_before: instant.optional(),
  cursor: cursor.optional(),
  limit: limit.optional(),
});
