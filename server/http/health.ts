// The health probes: alive, and ready to serve.
import { allCells } from "@/server/platform/cell";
import { isReady, listAbsentCells } from "@/server/services/outage";
import type { ApiAnswer } from "./exchange";
import { jsonAnswer } from "./response";

/** 200 while the process runs. */
export function healthAnswer(requestId: string): ApiAnswer {
  return jsonAnswer(200, '{"status":"ok"}', requestId);
}

/**
 * 200 if requests can be served, 503 while the database is unavailable. With several cells it is 200 while any of them
 * answers: a balancer must not take the process from the merchants of the others. The body names those that do not answer.
 * While draining, the front server answers instead.
 */
export async function readinessAnswer(requestId: string): Promise<ApiAnswer> {
  const count = allCells().length;
  const absent = await listAbsentCells();
  const ready = count === 1 ? await isReady() : absent.length < count;
  const cells = absent.length > 0 ? { absent_cells: absent } : {};
  return ready
    ? jsonAnswer(200, JSON.stringify({ status: "ready", ...cells }), requestId)
    : jsonAnswer(503, JSON.stringify({ status: "unavailable", ...cells }), requestId, { "retry-after": "1" });
}
