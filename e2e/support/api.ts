// Calls the REST API and checks every answer against the service's own OpenAPI document.
import type { ApiKey } from "./merchant";
import { type AnswerValidator, createAnswerValidator, type OpenApiDocument } from "./openapi";
import { createReleasedValidator, readReleasedDocument } from "./released-openapi";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as JSON; null if it is absent or not JSON. */
  readonly body: unknown;
  readonly text: string;
}

type HeaderValues = Readonly<Record<string, string>>;

export interface CallOptions {
  readonly headers?: HeaderValues;
}

export interface RawCall {
  readonly method: string;
  /** Below `/v1`, with its query. */
  readonly path: string;
  readonly headers?: HeaderValues;
  /** Sent verbatim. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Paths are those of the interface, below `/v1`. Every call throws if its answer is undocumented. */
export interface Api {
  get(path: string, options?: CallOptions): Promise<Answer>;
  /** Sends `body` as JSON, or no body if omitted. */
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** Sends what a well-behaved client would not; adds only the key. */
  send(call: RawCall): Promise<Answer>;
}

/** The header that presents a key (interface §5). */
export function basicAuthorization({ publicKey, secretKey }: ApiKey): string {
  return `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString("base64")}`;
}

/** Creates the validator from the document that the service serves, and from that of the last release. */
export async function fetchValidator(baseUrl: string): Promise<AnswerValidator> {
  const answer = await fetch(`${baseUrl}/openapi.json`);
  if (answer.status !== 200) throw new Error(`GET /openapi.json answered ${answer.status}`);
  const isDocumented = createAnswerValidator((await answer.json()) as OpenApiDocument);
  const isAsReleased = createReleasedValidator(readReleasedDocument());
  return (received) => {
    isDocumented(received);
    isAsReleased(received);
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/**
 * A client that presents `key`, or no credentials if it is null. `onCall` is called before each call, and the function
 * that it returns with the answer.
 */
export function createApi(
  baseUrl: string,
  key: ApiKey | null,
  validate: AnswerValidator,
  onCall: (call: RawCall) => (answer: Answer) => void = () => () => {},
): Api {
  const credentials: HeaderValues = key ? { authorization: basicAuthorization(key) } : {};

  async function send({ method, path, headers, body }: RawCall): Promise<Answer> {
    const onAnswer = onCall({ method, path });
    const response = await fetch(`${baseUrl}/v1${path}`, {
      method,
      headers: { ...credentials, ...headers },
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, body: parseJson(text) };
    validate({ method, path, ...answer });
    onAnswer(answer);
    return answer;
  }

  return {
    send,
    get: (path, options = {}) => send({ method: "GET", path, ...options }),
    post: (path, body, options = {}) =>
      send({
        method: "POST",
        path,
        headers: { "content-type": "application/json", ...options.headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}
