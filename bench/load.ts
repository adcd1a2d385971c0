// HTTP load by autocannon. Every answer's time is recorded, so that percentiles are exact.
import autocannon from "autocannon";
import { type Round, summarise } from "./statistics";

export interface HttpTask {
  readonly baseUrl: string;
  readonly authorization: string;
  readonly connections: number;
  readonly seconds: number;
  /** Makes the next request; every call can return a different one. */
  readonly next: () => HttpRequest;
}

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
  readonly key?: string;
  /** Replaces the task's. */
  readonly authorization?: string;
}

/** Runs the load for its duration. Requests in progress at the end are dropped and not counted. */
export async function sendLoad({ baseUrl, authorization, connections, seconds, next }: HttpTask): Promise<Round> {
  const latencies: number[] = [];
  let refused = 0;
  const headers = { "content-type": "application/json" };
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const setupRequest = (defaults: autocannon.Request): autocannon.Request => {
      const { method, path, body, key, authorization: own = authorization } = next();
      return {
        ...defaults,
        method,
        path,
        headers: { ...headers, authorization: own, ...(key === undefined ? {} : { "idempotency-key": key }) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      };
    };
    const options = { url: baseUrl, connections, duration: seconds, requests: [{ setupRequest }] };
    const instance = autocannon(options, (error: unknown, ended) =>
      error ? reject(error instanceof Error ? error : new Error("the load could not be sent")) : resolve(ended),
    );
    instance.on("response", (_client, status, _bytes, milliseconds) => {
      if (status >= 200 && status < 300) latencies.push(milliseconds);
      else refused += 1;
    });
  });
  return { ...summarise(latencies, seconds), failed: refused + result.errors };
}
