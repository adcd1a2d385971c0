// A load balancer in front of several services: each connection goes to the next of them.
import { connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";

export interface Balancer {
  readonly url: string;
  /** New connections may go to the service at that port. */
  add(port: number): void;
  /** No further connection goes there; those that exist stay. */
  remove(port: number): void;
  /** How many connections have gone there. */
  connectionsTo(port: number): number;
  close(): Promise<void>;
}

/**
 * Starts a balancer without services. A connection that finds none waits `holdsMs` for one, as behind Caddy, and is closed
 * if none came.
 */
export async function startBalancer({ holdsMs = 0 } = {}): Promise<Balancer> {
  const ports: number[] = [];
  const counts = new Map<number, number>();
  const open = new Set<Socket>();
  const held = new Set<Socket>();
  const hold = (socket: Socket) => {
    held.add(socket);
    setTimeout(() => held.delete(socket) && socket.destroy(), holdsMs).unref();
    // What it sends meanwhile stays unread; a client that gives up leaves.
    socket.on("error", () => socket.destroy()).once("close", () => held.delete(socket));
  };
  const forward = (socket: Socket) => {
    const port = ports.shift();
    if (port === undefined) return hold(socket);
    ports.push(port);
    counts.set(port, (counts.get(port) ?? 0) + 1);
    const upstream = connect(port, "127.0.0.1");
    for (const one of [socket, upstream]) {
      open.add(one);
      one.once("close", () => open.delete(one));
    }
    // The end of a side, in order or not, is the end of the other.
    pipeline(socket, upstream, socket, () => {});
  };
  const server = createServer(forward);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the balancer has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    add(port) {
      ports.push(port);
      const waiting = [...held];
      held.clear();
      for (const socket of waiting) forward(socket);
    },
    remove: (port) => void ports.splice(ports.indexOf(port), 1),
    connectionsTo: (port) => counts.get(port) ?? 0,
    async close() {
      for (const socket of [...open, ...held]) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
