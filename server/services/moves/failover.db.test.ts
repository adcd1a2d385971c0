// A cell fails over in the middle of a move, and its direct address goes on to lead to the old server.
import { connect, createServer, type Socket } from "node:net";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { configureCells, SECOND_CELL } from "@/server/db/testing/second-cell";
import { type Cell, inEachCell } from "@/server/platform/cell";
import { nameOf } from "@/server/testing/databases";
import { settleStays } from "../cells/settle-stays";
import { holdMover } from "./testing/killed-mover";
import { fenceIn } from "./testing/rows";
import { eu2, eu3, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();

/** Leads to one database after the other, as the address of a pooler does. */
let database = "";
const sockets = new Set<Socket>();
const proxy = createServer((socket) => {
  sockets.add(socket);
  socket.on("error", () => socket.destroy());
  const { hostname, port } = new URL(cells.own[1] ?? "");
  socket.once("data", (startup) => {
    const parts = startup.subarray(8).toString("latin1").split("\0");
    parts[parts.indexOf("database") + 1] = database;
    const body = Buffer.from(parts.join("\0"), "latin1");
    const head = Buffer.alloc(8);
    head.writeInt32BE(body.length + 8, 0);
    startup.copy(head, 4, 4, 8);
    const upstream = connect(Number(port), hostname);
    upstream.on("error", () => socket.destroy());
    upstream.on("close", () => socket.destroy());
    socket.on("close", () => upstream.destroy());
    upstream.write(Buffer.concat([head, body]));
    socket.pipe(upstream);
    upstream.pipe(socket);
  });
});
beforeAll(() => new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  proxy.close();
});

/** Moves a merchant, and lets the second cell fail over before the merchant is closed. Gives what the command prints. */
async function moveDuringFailover(
  merchantId: string,
  to: () => Cell,
  afterwards: (service: Client) => Promise<unknown> = async () => undefined,
): Promise<unknown> {
  const promoted = await cells.backUp(eu2());
  const own = cells.own[1] ?? "";
  database = nameOf(own);
  const url = new URL(own);
  url.port = String((proxy.address() as { port: number }).port);
  url.hostname = "127.0.0.1";
  await disconnect();
  configureCells([
    { ...SECOND_CELL, url: url.href, direct_url: own },
    { name: "eu3", tag: "e3", url: cells.own[2] },
  ]);
  const mover = holdMover(/^INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/);
  const moving = move(merchantId, to());
  try {
    await Promise.race([mover.held, moving]);
    // Whoever comes by the service's address meets the new server.
    database = nameOf(promoted);
    for (const socket of sockets) socket.destroy();
    const service = new Client({ connectionString: url.href });
    await service.connect();
    await afterwards(service);
    await service.end();
  } finally {
    mover.goOn();
  }
  const answer = await moving;
  mover.restore();
  for (let round = 0; round < 3; round += 1) await inEachCell(settleStays);
  return answer;
}

it("of the old cell: what the merchant does since then is not left behind", async () => {
  const merchantId = await makeOne(eu2());
  const answer = await moveDuringFailover(merchantId, eu3, (service) =>
    service.query("UPDATE merchant SET name = 'After the failover' WHERE id = $1", [merchantId]),
  );
  const open = (await fenceIn(eu2(), merchantId)) === null ? eu2() : eu3();
  const rows = await sql(open, "SELECT name FROM merchant WHERE id = $1", merchantId);
  expect({ cell: open.name, rows, answer }).toMatchObject({ rows: [{ name: "After the failover" }] });
});

it("of the new cell: the old rows are not removed, and the merchant stays open", async () => {
  const merchantId = await makeOne(main());
  const answer = await moveDuringFailover(merchantId, eu2);
  const rows = await sql(main(), "SELECT id FROM merchant WHERE id = $1", merchantId);
  expect({ rows, fence: await fenceIn(main(), merchantId), answer }).toMatchObject({
    rows: [{ id: merchantId }],
    fence: null,
  });
});
