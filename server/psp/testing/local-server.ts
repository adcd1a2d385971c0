// An HTTP server on the loopback for adapter tests, with one handler and a record of its requests.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

export type Respond = (received: Received, response: ServerResponse) => void;

export interface LocalServer {
  readonly url: string;
  readonly received: Received[];
  respond: Respond;
  stop(): Promise<void>;
}

/** Answers with a JSON body. */
export function json(status: number, body: unknown): Respond {
  return (_received, response) => {
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Starts on a free port of 127.0.0.1. */
export async function startLocalServer(): Promise<LocalServer> {
  const local: { respond: Respond; received: Received[] } = { respond: json(500, {}), received: [] };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const headers = new Headers();
    for (const [name, values] of Object.entries(request.headersDistinct)) {
      for (const value of values ?? []) headers.append(name, value);
    }
    const received = { method: request.method ?? "", path: request.url ?? "", headers, body: await read(request) };
    local.received.push(received);
    local.respond(received, response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(local, {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
