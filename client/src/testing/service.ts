// A service that gives prepared answers, in place of the network.
import { Sluice } from "../sluice.js";

export interface Received {
  readonly method: string;
  /** Below the origin, with its query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A string is a network error; an answer without a body is not of Sluice. */
export type Prepared = string | { readonly status?: number; readonly headers?: HeadersInit; readonly body?: unknown };

/** Returns a client of a service with these answers, of which the last one repeats, and the requests that it has received. */
export function startService(...answers: readonly Prepared[]): {
  readonly sluice: Sluice;
  readonly received: Received[];
} {
  const received: Received[] = [];
  const sluice = new Sluice({
    baseUrl: "http://service.test",
    publicKey: "pk_test_a",
    secretKey: "sk_test_b",
    fetch: async (input, init) => {
      const request = new Request(input as string, init);
      const { pathname, search } = new URL(request.url);
      const answer = answers[Math.min(received.length, answers.length - 1)] ?? "no answer is prepared";
      received.push({
        method: request.method,
        path: pathname + search,
        headers: request.headers,
        body: await request.text(),
      });
      if (typeof answer === "string") throw new TypeError(answer);
      const { status = 200, headers = {}, body } = answer;
      return new Response(body === undefined ? "<html>" : JSON.stringify(body), { status, headers });
    },
  });
  return { sluice, received };
}

/** The body of an error of the service. */
export const errorBody = (code: string, message = "what is wrong") => ({ error: { code, message } });
