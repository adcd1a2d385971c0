// A fast webhook receiver in a separate process: answers 204 immediately and records the events of each path.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** "path event-id" of everything received since the last GET. */
const arrivals = new Set<string>();

function take(request: IncomingMessage, response: ServerResponse): void {
  request.resume().once("end", () => {
    arrivals.add(`${request.url} ${String(request.headers["webhook-id"])}`);
    response.writeHead(204).end();
  });
}

/** GET returns each received event once, and forgets it. */
function report(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify([...arrivals]));
  arrivals.clear();
}

const server = createServer((request, response) =>
  request.method === "POST" ? take(request, response) : report(response),
);
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
