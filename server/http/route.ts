// The order of checks of a REST call: credentials, rate limit, route, scope, body, key, record, validation, effect.
import { ERROR_STATUS, notFoundError, ServiceError } from "@/server/domain/errors";
import { requireKeyScope } from "@/server/domain/key-scopes";
import type { CallContext } from "@/server/domain/scope";
import { canonicalJson } from "@/server/platform/canonical-json";
import { type Cell, inCell } from "@/server/platform/cell";
import { limitedNetwork } from "@/server/platform/client-address";
import { withinMerchant } from "@/server/platform/reach";
import {
  type Authenticated,
  authenticateInItsCell,
  type Credentials,
  forgettingMovedKey,
  type Located,
} from "@/server/services/api-keys/authenticate";
import { answerOnce } from "@/server/services/idempotency/once";
import { requireActiveMerchant } from "@/server/services/suspension/suspend";
import { readJson } from "./body";
import { readCredentials } from "./credentials";
import type { ApiAnswer, ApiRequest } from "./exchange";
import { readIdempotencyKey } from "./idempotency-key";
import { isWrite, type Params, type ReadOperation, type StaticOperation, type WriteOperation } from "./operation";
import { ignoredHeader, type ParsedQuery, parseQuery } from "./query";
import { RateLimited, returnToken, slowDown, takeToken } from "./rate-limit";
import { UNKNOWN_ROUTE } from "./request-metrics";
import { errorText, jsonAnswer } from "./response";
import { BASE_PATH, type Match, matchPath } from "./routes";
import { staticAnswer } from "./static";
import { validate } from "./validate";

/** One request with everything that a check may need. */
export interface Incoming {
  readonly request: ApiRequest;
  readonly url: URL;
  readonly requestId: string;
  readonly trace: CallTrace;
}

/** What the request log and the metrics record about a call, filled in as it becomes known. */
export interface CallTrace {
  caller: Authenticated | null;
  /** The cell of the caller; null before the caller is identified. */
  cell: Cell | null;
  /** The path of the operation that runs, as it declares it; empty while none does. */
  route: string;
  /** The route that the path belongs to, whether or not an operation runs. */
  template: string;
  /** The parsed body. */
  request: unknown;
  /** True if the API log records the answer's body. */
  answerIsLogged: boolean;
}

/** Returns an empty trace. */
export function newTrace(): CallTrace {
  return { caller: null, cell: null, route: "", template: UNKNOWN_ROUTE, request: undefined, answerIsLogged: true };
}

const NO_PARAMETERS: ReadonlySet<string> = new Set();

/** Answers a request below /v1. Throws ServiceError for every rejected request. */
export async function routeApiRequest(incoming: Incoming): Promise<ApiAnswer> {
  const { request, url, trace } = incoming;
  const match = matchPath(url.pathname.slice(BASE_PATH.length));
  if (match) trace.template = BASE_PATH + match.path;
  // The host sends an answer to HEAD without its body.
  const method = request.method === "HEAD" ? "GET" : request.method;
  const candidate = match?.operations.get(method);
  if (candidate && isStatic(candidate)) {
    takeToken(`address:${limitedNetwork(request.peer.address)}`);
    return staticAnswer(candidate, incoming);
  }
  const credentials = credentialsOf(request);
  const caller = await identifyWithDelay(request, credentials);
  trace.cell = caller.cell;
  const answer = () => answerCaller(incoming, caller, match, method);
  return inCell(caller.cell, () => forgettingMovedKey(credentials?.publicKey ?? "", answer));
}

/** Answers an identified caller's request, in the caller's cell. */
async function answerCaller(
  incoming: Incoming,
  caller: Authenticated,
  match: Match | null,
  method: string,
): Promise<ApiAnswer> {
  const { trace } = incoming;
  trace.caller = caller;
  takeToken(caller.apiKeyId);
  const { operation, params } = requireOperation(match, method);
  trace.route = operation.path;
  requireKeyScope(caller.keyScopes, operation.keyScope);
  return withinMerchant(caller.scope.merchantId, async () => {
    if (!isWrite(operation)) return runRead(operation, params, caller, incoming);
    if (!operation.worksWhileSuspended) await requireActiveMerchant(caller.scope.merchantId);
    return runWrite(operation, params, caller, incoming);
  });
}

/** The pair of the Authorization header; null for none, or several. */
function credentialsOf({ headers, peer }: ApiRequest): Credentials | null {
  const isDuplicated = peer.duplicateHeaders.includes("authorization");
  return isDuplicated ? null : readCredentials(headers.get("authorization"));
}

/**
 * Authenticates the caller. Failures count against the address that they come from, so that guessing and flooding end
 * in 429; a key that this process has not found before counts until it is found valid. A key in use is never slowed by
 * others behind the same address.
 */
async function identify({ peer }: ApiRequest, credentials: Credentials | null): Promise<Located> {
  const stranger = `stranger:${limitedNetwork(peer.address)}`;
  let isCharged = false;
  const charge = () => {
    // Once, however many cells a key is looked for in.
    if (isCharged) return;
    takeToken(stranger);
    isCharged = true;
  };
  try {
    const caller = await authenticateInItsCell(credentials, peer.address, charge);
    if (isCharged) returnToken(stranger);
    return caller;
  } catch (error) {
    if (!isCharged && error instanceof ServiceError && error.code === "unauthorized") charge();
    throw error;
  }
}

/** The same, with a delay for strangers beyond their limit. */
async function identifyWithDelay(request: ApiRequest, credentials: Credentials | null): Promise<Located> {
  try {
    return await identify(request, credentials);
  } catch (error) {
    if (error instanceof RateLimited) await slowDown();
    throw error;
  }
}

function isStatic(operation: ReadOperation | WriteOperation | StaticOperation): operation is StaticOperation {
  return !("run" in operation);
}

/** A known path with another method; `allow` becomes the Allow header. */
export class MethodNotAllowed extends ServiceError {
  constructor(readonly allow: string) {
    super("method_not_allowed", `This path allows ${allow} only.`);
  }
}

function requireOperation(match: Match | null, method: string) {
  if (!match) throw notFoundError();
  const operation = match.operations.get(method);
  if (!operation || isStatic(operation)) throw new MethodNotAllowed([...match.operations.keys()].join(", "));
  return { operation, params: match.params };
}

function contextOf({ scope, apiKeyId }: Authenticated, { request, requestId }: Incoming): CallContext {
  return { scope, actor: { type: "api_key", id: apiKeyId }, requestId, address: request.peer.address };
}

async function runRead(operation: ReadOperation, params: Params, caller: Authenticated, incoming: Incoming) {
  const known = operation.query ? new Set(Object.keys(operation.query.shape)) : NO_PARAMETERS;
  const parsed = parseQuery(incoming.url, known);
  incoming.trace.answerIsLogged = operation.answerIsLogged ?? true;
  const query = operation.query ? validate(operation.query, parsed.values, "query") : undefined;
  const resource = await operation.run({ context: contextOf(caller, incoming), params, query: query as never });
  return jsonAnswer(200, JSON.stringify(resource), incoming.requestId, ignoredHeaders(parsed));
}

async function runWrite(operation: WriteOperation, params: Params, caller: Authenticated, incoming: Incoming) {
  const { request, url, requestId, trace } = incoming;
  const parsed = parseQuery(url, NO_PARAMETERS);
  const json = await readJson(request, operation.bodyOptional);
  trace.request = json;
  const key = readIdempotencyKey(request, operation.idempotencyKey === "required");
  const idempotent =
    key === null
      ? null
      : {
          scope: caller.scope,
          apiKeyId: caller.apiKeyId,
          key,
          content: `${operation.method} ${url.pathname}\n${canonicalJson(json)}`,
          isConfidential: operation.isConfidential,
        };
  const answer = await answerOnce(
    idempotent,
    async (lease) => {
      const body = validate(operation.body, json, "body") as never;
      return operation.run({ context: contextOf(caller, incoming), params, body, lease });
    },
    (refusal) => ({ status: ERROR_STATUS[refusal.code], body: errorText(refusal) }),
  );
  const replayed: Record<string, string> = answer.replayed ? { "idempotent-replayed": "true" } : {};
  return jsonAnswer(answer.status, answer.body, requestId, { ...ignoredHeaders(parsed), ...replayed });
}

function ignoredHeaders({ ignored }: ParsedQuery): Record<string, string> {
  return ignored.length > 0 ? { "ignored-parameters": ignoredHeader(ignored) } : {};
}
