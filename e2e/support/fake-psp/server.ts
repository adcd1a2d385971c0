// The fake provider's HTTP server: checks signatures and dispatches requests.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Book } from "./book";
import { type CallbackOrder, sendCallback } from "./callbacks";
import { answerControl } from "./control";
import { readBody, sendError } from "./exchange";
import { Faults } from "./faults";
import { answerPayer } from "./payer-page";
import { answerCall } from "./protocol";
import { signatureFault } from "./signing";

export interface FakePspOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The name under which the service knows it. */
  readonly name: string;
  readonly secret: string;
  readonly recordPath: string;
}

/** Listens on 127.0.0.1; `url` is the address. */
export async function listen(options: FakePspOptions): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { name, secret } = options;
  let url = "";
  let callbackUrl = "";
  const book = new Book(options.recordPath, () => url);
  const faults = new Faults();
  const calls: object[] = [];
  const send = (order: CallbackOrder) =>
    sendCallback(book, { url: callbackUrl, path: `/providers/${name}/callbacks`, secret }, order);
  const setCallbackUrl = (origin: string) => {
    callbackUrl = origin.replace(/\/$/, "");
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? "";
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", url);
    const body = await readBody(request);
    if (path.startsWith("/v1/")) {
      const fault = signatureFault(secret, request.headers, { method, path: request.url ?? "", body });
      calls.push({
        at: new Date().toISOString(),
        method,
        path: request.url,
        idempotency_key: request.headers["idempotency-key"],
        fault,
      });
      if (fault) return sendError(response, 401, "unauthorized");
      return answerCall(book, faults, { method, path, query, body }, response);
    }
    const payer = /^\/pay\/([\w-]+)$/.exec(path);
    if (payer?.[1]) return answerPayer(book, method, payer[1], (reference) => send({ reference }), response);
    const controls = { book, faults, calls, setCallbackUrl, send };
    if (!(await answerControl(controls, { method, path, query, body }, response)))
      sendError(response, 404, "not_found");
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      process.stderr.write(`fake psp: ${String(error)}\n`);
      if (!response.headersSent) sendError(response, 400, "bad_request");
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          book.close();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
