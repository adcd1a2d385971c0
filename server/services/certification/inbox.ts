// Receives the callbacks of a certification: an HTTP server whose address the provider's sandbox calls.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { validationError } from "@/server/domain/errors";
import { now } from "@/server/platform/clock";
import type { CallbackReceiver } from "@/server/psp/gateway";

const LARGEST_BYTES = 1024 * 1024;

export interface CallbackInbox {
  readonly port: number;
  /**
   * True once a callback arrived that verifies and names the reference. A changed body must invalidate it, or, if the
   * provider proves only the sender, a missing proof, and then its reading must be a hint.
   */
  has(reference: string): boolean;
  /** True if what the provider sends as proof does not cover the body. */
  readonly provesOnlySender: boolean;
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
  const provesOnlySender = receiver.provesOnlySender === true;
  let rejected = 0;
  /** Returns the status of the answer. */
  const receive = (headers: Pick<Headers, "get">, body: string): number => {
    const verifies = (text: string, proof = headers) => receiver.verifyCallback(proof, text, now()) !== null;
    const { kind, reference } = receiver.readCallback(body);
    const isForgeable = provesOnlySender ? verifies(body, new Headers()) || kind === "update" : verifies(`${body} `);
    if (!verifies(body) || isForgeable) {
      rejected += 1;
      return 401;
    }
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
    provesOnlySender,
    rejected: () => rejected,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
