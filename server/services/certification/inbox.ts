// Receives the callbacks of a certification: an HTTP server whose address the provider's sandbox calls.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { validationError } from "@/server/domain/errors";
import { now } from "@/server/platform/clock";
import type { CallbackReceiver } from "@/server/psp/gateway";

const LARGEST_BYTES = 1024 * 1024;

export interface CallbackInbox {
  readonly port: number;
  /** True once a callback arrived whose signature verifies, that names the reference, and that a changed body invalidates. */
  has(reference: string): boolean;
  /** How many requests had no valid signature. */
  rejected(): number;
  close(): Promise<void>;
}

async function readText(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Listens on a port of 127.0.0.1, 0 for any free one, at every path. Throws validation_failed if it is taken. */
export async function openInbox(receiver: CallbackReceiver, port: number): Promise<CallbackInbox> {
  const references = new Set<string>();
  let rejected = 0;
  /** Returns the status of the answer. */
  const receive = (headers: Pick<Headers, "get">, body: string): number => {
    const verifies = (text: string) => receiver.verifyCallback(headers, text, now()) !== null;
    if (!verifies(body) || verifies(`${body} `)) {
      rejected += 1;
      return 401;
    }
    const { reference } = receiver.readCallback(body);
    if (reference !== null) references.add(reference);
    return 200;
  };
  const server = createServer((request, response) => {
    readText(request)
      .then((body) => {
        const headers = new Headers(
          Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
        );
        response.writeHead(body === null ? 413 : receive(headers, body)).end();
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    const refuse = () => reject(validationError("callbacks", "must be a free port of this machine"));
    server.once("error", refuse).listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    has: (reference) => references.has(reference),
    rejected: () => rejected,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
