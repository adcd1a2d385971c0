// The health probes: alive, and ready to serve.
import { isReady, listAbsentCells } from "@/server/services/outage";
import type { ApiAnswer } from "./exchange";
import { jsonAnswer } from "./response";

/** 200 while the process runs. */
export function healthAnswer(requestId: string): ApiAnswer {
  return jsonAnswer(200, '{"status":"ok"}', requestId);
}

/**
 * 200 if requests can be served, 503 while the database is unavailable. The body names further cells whose databases do
 * not answer: only their merchants wait. While draining, the front server answers instead.
 */
export async function readinessAnswer(requestId: string): Promise<ApiAnswer> {
  const [ready, absent] = await Promise.all([isReady(), listAbsentCells()]);
  const cells = absent.length > 0 ? { absent_cells: absent } : {};
  return ready
    ? jsonAnswer(200, JSON.stringify({ status: "ready", ...cells }), requestId)
    : jsonAnswer(503, JSON.stringify({ status: "unavailable", ...cells }), requestId, { "retry-after": "1" });
}
