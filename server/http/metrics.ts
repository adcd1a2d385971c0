// GET /metrics: the metrics of the whole service, for the operator's Prometheus. It has a token of its own.
import { notFoundError, ServiceError } from "@/server/domain/errors";
import { limitedNetwork } from "@/server/platform/client-address";
import { equalTexts, sha256Hex } from "@/server/platform/crypto";
import { env } from "@/server/platform/env";
import { joinExpositions, sharedWhileUnderWay } from "@/server/platform/metrics/exposition";
import { processExposition } from "@/server/platform/metrics/process";
import { workExposition } from "@/server/services/work-metrics";
import type { ApiAnswer, ApiRequest } from "./exchange";
import { takeToken } from "./rate-limit";
import { errorAnswer, jsonAnswer } from "./response";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
const BEARER = /^bearer +(\S+)$/i;

type Collect = () => Promise<string>;

/** The host and Next's bundles are separate module graphs; they share state through globalThis. */
const shared = globalThis as typeof globalThis & { sluiceCollectMetrics?: Collect };

/** Replaces what /metrics answers with: the processes of a service collect the metrics of all of them. */
export function collectMetricsBy(collect: Collect): void {
  shared.sluiceCollectMetrics = sharedWhileUnderWay(collect);
}

/** The metrics of a process without others, as under `next start`, and of the work that waits. */
async function collectAlone(): Promise<string> {
  return joinExpositions(await Promise.all([processExposition("web-1"), workExposition()]));
}

/** Compares digests, so that the time tells nothing about the token, not even its length. */
function isToken({ headers, peer }: ApiRequest, token: string): boolean {
  if (peer.duplicateHeaders.includes("authorization")) return false;
  const given = BEARER.exec(headers.get("authorization")?.trim() ?? "")?.[1] ?? "";
  return equalTexts(sha256Hex(given), sha256Hex(token));
}

/** 200 with the metrics. Without METRICS_TOKEN, throws not_found; 401 without the right token. */
export async function metricsAnswer(request: ApiRequest, requestId: string): Promise<ApiAnswer> {
  const { metricsToken } = env();
  if (metricsToken === null) throw notFoundError();
  if (!isToken(request, metricsToken)) {
    takeToken(`stranger:${limitedNetwork(request.peer.address)}`);
    const refused = errorAnswer(new ServiceError("unauthorized", "The metrics token is missing or wrong."), requestId);
    return { ...refused, headers: { ...refused.headers, "www-authenticate": 'Bearer realm="metrics"' } };
  }
  const text = await (shared.sluiceCollectMetrics ?? collectAlone)();
  return jsonAnswer(200, text, requestId, { "content-type": CONTENT_TYPE });
}
