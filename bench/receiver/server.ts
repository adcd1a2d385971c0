// A fast webhook receiver in a separate process: answers 204 immediately and records the events of each path.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Arrivals } from "./arrivals";

const arrived = new Set<string>();
let repeated: string[] = [];

function take(request: IncomingMessage, response: ServerResponse): void {
  request.resume().once("end", () => {
    const arrival = `${request.url} ${String(request.headers["webhook-id"])}`;
    if (arrived.has(arrival)) repeated.push(arrival);
    arrived.add(arrival);
    response.writeHead(204).end();
  });
}

/** GET returns what was received, and forgets it. */
function report(response: ServerResponse): void {
  const arrivals: Arrivals = { arrived: [...arrived], repeated };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(arrivals));
  arrived.clear();
  repeated = [];
}

const server = createServer((request, response) =>
  request.method === "POST" ? take(request, response) : report(response),
);
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
