// Calls of the REST API with a merchant's key, whichever cell the merchant is in.
import { handleApiRequest } from "@/server/http/handler";
import type { CreatedKey } from "@/server/services/api-keys/new-key";

const PEER = { address: "192.0.2.1", duplicateHeaders: [] };

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly idempotencyKey?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Calls the API once. Returns the answer and its Request-Id. */
export async function callForId(
  key: CreatedKey,
  { method, path, body, idempotencyKey }: Call,
): Promise<Answer & { readonly requestId: string }> {
  const credentials = Buffer.from(`${key.publicKey}:${key.secretKey}`).toString("base64");
  const headers = new Headers({
    authorization: `Basic ${credentials}`,
    "content-type": "application/json",
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  });
  const readBody = () => Promise.resolve(Buffer.from(body ? JSON.stringify(body) : ""));
  const answer = await handleApiRequest({ method, target: `/v1${path}`, headers, peer: PEER, readBody });
  const requestId = new Headers(answer.headers as Record<string, string>).get("request-id") ?? "none";
  return { status: answer.status, text: answer.body ?? "", requestId };
}

/** Calls the API once. */
export async function call(key: CreatedKey, what: Call): Promise<Answer> {
  const { status, text } = await callForId(key, what);
  return { status, text };
}
