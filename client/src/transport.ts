// Sends requests: credentials, idempotency keys, bounded retries, errors.
import { randomUUID } from "node:crypto";
import { SluiceError } from "./errors.js";
import { parseAnswer, toJson } from "./money.js";
import { pauseBefore, sleep } from "./retries.js";

export interface SluiceOptions {
  /** Origin of the service, such as https://pay.example; `/v1` at its end makes no difference. */
  readonly baseUrl: string;
  /** `pk_test_…` or `pk_live_…`, which fixes the environment. */
  readonly publicKey: string;
  readonly secretKey: string;
  /** Attempts after the first; 4 by default. */
  readonly maximumRetries?: number;
  /** Time limit of one attempt, in milliseconds; 30,000 by default. */
  readonly attemptTimeoutMs?: number;
  /** Replaces the global fetch, for a proxy or for tests. */
  readonly fetch?: typeof fetch;
}

export interface ReadOptions {
  /** Aborts the call, its retries and its pauses. */
  readonly signal?: AbortSignal;
}

export interface WriteOptions extends ReadOptions {
  /** 1 to 255 printable characters; a random UUID by default. Store your own to repeat a call after a crash. */
  readonly idempotencyKey?: string;
}

interface Request extends WriteOptions {
  readonly query?: object | undefined;
  readonly body?: object | undefined;
}

/** Sends a request below /v1 and returns the parsed answer. Throws SluiceError, or the reason of an aborted signal. */
export type Send = <Result>(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  request?: Request,
) => Promise<Result>;

/** A path with its ids encoded. */
export function path(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw({ raw: parts }, ...ids.map(encodeURIComponent));
}

function queryOf(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, string | number | readonly string[] | undefined][])
    if (value !== undefined) for (const one of [value].flat()) parameters.append(name, `${one}`);
  return parameters.size > 0 ? `?${parameters.toString()}` : "";
}

const factsOf = ({ status, headers }: Response) => ({ status, requestId: headers.get("request-id") });

function errorOf(response: Response, text: string): SluiceError {
  try {
    const { code, message } = (JSON.parse(text) as { error: { code: string; message: string } }).error;
    return new SluiceError(message, { code, ...factsOf(response) });
  } catch (cause) {
    return notOfSluice(response, cause);
  }
}

/** Of a proxy in between, for example. */
function notOfSluice(response: Response, cause: unknown): SluiceError {
  const message = `the answer ${response.status} is not of Sluice`;
  return new SluiceError(message, { code: "unexpected_answer", ...factsOf(response), cause });
}

function resultOf(response: Response, text: string): unknown {
  try {
    return parseAnswer(text);
  } catch (cause) {
    throw notOfSluice(response, cause);
  }
}

type Attempt =
  | { readonly response: Response; readonly text: string }
  | { readonly response: null; readonly failure: unknown };

/** Creates the function that all resources use. */
export function createTransport(options: SluiceOptions): Send {
  const { baseUrl, publicKey, secretKey, maximumRetries = 4, attemptTimeoutMs = 30_000 } = options;
  const send = options.fetch ?? fetch;
  const base = `${baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1`;
  const authorization = `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString("base64")}`;

  async function attempt(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Attempt> {
    const limit = AbortSignal.timeout(attemptTimeoutMs);
    try {
      const response = await send(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
      // An answer that breaks off is a failed attempt.
      return { response, text: await response.text() };
    } catch (failure) {
      signal?.throwIfAborted();
      return { response: null, failure };
    }
  }

  return async <Result>(method: string, at: string, request: Request = {}): Promise<Result> => {
    const { query, body, signal } = request;
    const isWrite = method !== "GET";
    const init: RequestInit = {
      method,
      redirect: "error",
      headers: {
        authorization,
        ...(body ? { "content-type": "application/json" } : {}),
        // Every attempt has the same key, so that a retry repeats nothing.
        ...(isWrite ? { "idempotency-key": request.idempotencyKey ?? randomUUID() } : {}),
      },
      ...(body ? { body: toJson(body) } : {}),
    };
    const url = `${base}${at}${queryOf(query)}`;
    for (let retries = 0; ; retries += 1) {
      signal?.throwIfAborted();
      const made = await attempt(url, init, signal);
      if (made.response?.ok) return resultOf(made.response, made.text) as Result;
      const pauseMs = retries < maximumRetries ? pauseBefore(retries, made.response) : null;
      if (pauseMs !== null) await sleep(pauseMs, signal);
      else if (made.response) throw errorOf(made.response, made.text);
      else throw new SluiceError(`no answer from ${base}`, { code: "connection_failed", cause: made.failure });
    }
  };
}
