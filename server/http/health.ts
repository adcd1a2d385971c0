// The health probes: alive, and ready to serve.
import { isReady } from "@/server/services/outage";
import type { ApiAnswer } from "./exchange";
import { jsonAnswer } from "./response";

/** 200 while the process runs. */
export function healthAnswer(requestId: string): ApiAnswer {
  return jsonAnswer(200, '{"status":"ok"}', requestId);
}

/**
 * 200 if requests can be served, 503 while the database is unavailable. While draining, the front server answers
 * instead.
 */
export async function readinessAnswer(requestId: string): Promise<ApiAnswer> {
  const ready = await isReady();
  return ready
    ? jsonAnswer(200, '{"status":"ready"}', requestId)
    : jsonAnswer(503, '{"status":"unavailable"}', requestId, { "retry-after": "1" });
}
