// The farm's process: `node --import tsx e2e/support/receiver-farm/main.ts`. Prints one line of JSON with the address
// of its control server when ready. Exits on SIGTERM, or when its parent process exits.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openFarm } from "./farm";

const farm = await openFarm();

/** GET /urls, /connections, and /received?since=N: all deliveries but the first N. */
const control = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://farm");
  const answers: Record<string, () => unknown> = {
    "/urls": () => farm.urls,
    "/connections": () => farm.connections,
    "/received": () => farm.received.slice(Number(url.searchParams.get("since") ?? 0)),
  };
  const answer = answers[url.pathname];
  response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(answer?.() ?? null));
});
await new Promise<void>((resolve) => control.listen(0, "127.0.0.1", resolve));

function end(): void {
  process.exit(0);
}
process.on("SIGTERM", end);
process.on("SIGINT", end);
process.on("disconnect", end);
process.stdout.write(`${JSON.stringify({ control: `http://127.0.0.1:${(control.address() as AddressInfo).port}` })}\n`);
