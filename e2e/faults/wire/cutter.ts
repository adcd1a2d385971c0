// A TCP proxy that numbers messages and cuts at a chosen one. A message is everything that flows in one direction of a
// connection until the other side answers. Between two messages no process can do what another process sees, so cutting at
// every message tries every moment that matters.

import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * What happens when the chosen message arrives. kill: its process is killed, and the message is lost. reset: the message is
 * lost with its connection. lose_answer: the message is passed on, and the connection is lost before the answer. delay: it
 * is passed on late.
 */
export const ACTS = ["kill", "reset", "lose_answer", "delay"] as const;
export type Act = (typeof ACTS)[number];

export interface Cut {
  /** Number of the message, from 0. */
  readonly at: number;
  readonly act: Act;
}

interface Target {
  /** What the messages are about, such as `database`. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

export interface Cutter {
  /** Listens in front of a target; returns the port. */
  front(target: Target): Promise<number>;
  /** Numbers messages from 0 again, and cuts at one of them. `kill` kills the process whose messages these are. */
  arm(cut: Cut | null, kill: () => void): void;
  /** Stops numbering and cutting; returns the messages since `arm`, such as `database <`. */
  disarm(): readonly string[];
  close(): Promise<void>;
}

/** Shorter than the deadlines of the service, so that a late message is still waited for. */
const DELAY_MS = 300;

interface Armed {
  readonly cut: Cut | null;
  readonly kill: () => void;
  readonly messages: string[];
}

type Direction = ">" | "<";

/** One proxied connection. */
class Connection {
  #latest: Direction | null = null;
  #isCut = false;

  constructor(
    private readonly name: string,
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly arrived: (message: string) => Act | null,
  ) {
    this.#pass(client, server, ">");
    this.#pass(server, client, "<");
  }

  #pass(from: Socket, to: Socket, direction: Direction): void {
    from.on("data", (chunk) => {
      if (this.#isCut) return;
      const act = this.#latest === direction ? null : this.arrived(`${this.name} ${direction}`);
      this.#latest = direction;
      if (act === null) this.#write(from, to, chunk);
      else this.#perform(act, from, to, chunk);
    });
    from.once("end", () => to.end());
    from.once("close", () => to.destroy());
    from.on("error", () => to.resetAndDestroy());
  }

  #write(from: Socket, to: Socket, chunk: Buffer): void {
    if (to.destroyed || to.write(chunk)) return;
    from.pause();
    to.once("drain", () => from.resume());
  }

  #perform(act: Act, from: Socket, to: Socket, chunk: Buffer): void {
    if (act === "delay") {
      from.pause();
      setTimeout(() => {
        this.#write(from, to, chunk);
        from.resume();
      }, DELAY_MS);
      return;
    }
    this.#isCut = true;
    if (act === "lose_answer") {
      // The receiver reads the message to its end; the sender learns nothing more.
      to.end(chunk);
      from.resetAndDestroy();
      return;
    }
    this.client.resetAndDestroy();
    this.server.resetAndDestroy();
  }
}

/** Opens a cutter that fronts nothing yet. */
export function openCutter(): Cutter {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let armed: Armed | null = null;

  function arrived(message: string): Act | null {
    if (!armed) return null;
    const { cut, kill, messages } = armed;
    messages.push(message);
    if (cut === null || cut.at !== messages.length - 1) return null;
    if (cut.act === "kill") kill();
    return cut.act;
  }

  function accept(client: Socket, { name, host, port }: Target): void {
    const server = connect({ host, port, noDelay: true, allowHalfOpen: true });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    }
    new Connection(name, client, server, arrived);
  }

  return {
    async front(target) {
      const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => accept(client, target));
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return (server.address() as AddressInfo).port;
    },
    arm(cut, kill) {
      armed = { cut, kill, messages: [] };
    },
    disarm() {
      const messages = armed?.messages ?? [];
      armed = null;
      return messages;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
