// A well-behaved webhook receiver in the spec's own process, whose answers the spec chooses.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface ReceivedWebhook {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** Sets the status of further answers; 200 at first. */
  answer(status: number): void;
  stop(): Promise<void>;
}

/** Starts on a free port of 127.0.0.1. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      received.push({ path: request.url ?? "", headers, body: Buffer.concat(chunks).toString("utf8") });
      response.writeHead(status).end("thanks");
    });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer(next) {
      status = next;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
