// A farm of webhook receivers on the loopback: one port per behavior, and a record of what each was sent.
import { readFileSync } from "node:fs";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { BEHAVIOURS, type Behaviour, type Certificate } from "./behaviours";

/** One delivery that arrived completely, in the order of arrival. */
export interface Received {
  readonly behaviour: string;
  readonly at: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Farm {
  /** The address of each behaviour, without a path. */
  readonly urls: Readonly<Record<string, string>>;
  readonly received: readonly Received[];
  /** Connections made to each behaviour so far. */
  readonly connections: Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** PEM of the authority that signed the certificates which only this farm's clients trust. */
export function farmAuthority(): string {
  return readPem("authority");
}

function readPem(name: Certificate | "authority"): string {
  return readFileSync(new URL(`./certificates/${name}.pem`, import.meta.url), "utf8");
}

function serverOf(behaviour: Behaviour, listener: RequestListener): Server {
  if ("serve" in behaviour) return createServer(behaviour.serve);
  if (behaviour.certificate === undefined) return createHttpServer(listener);
  const pem = readPem(behaviour.certificate);
  return createHttpsServer({ key: pem, cert: pem }, listener);
}

/** Starts every behavior on a free port of 127.0.0.1. */
export async function openFarm(): Promise<Farm> {
  const urls: Record<string, string> = {};
  const connections: Record<string, number> = {};
  const received: Received[] = [];
  const sockets = new Set<Socket>();

  async function take(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]));
    const body = Buffer.concat(chunks).toString("utf8");
    received.push({ behaviour: name, at: new Date().toISOString(), path: request.url ?? "", headers, body });
    const behaviour = BEHAVIOURS.get(name);
    if (behaviour && "answer" in behaviour) behaviour.answer(response, { body, urlOf: (other) => urls[other] ?? "" });
  }

  async function open(name: string, behaviour: Behaviour): Promise<Server> {
    const server = serverOf(behaviour, (request, response) => {
      take(name, request, response).catch(() => response.destroy());
    });
    connections[name] = 0;
    server.on("connection", (socket) => {
      connections[name] = (connections[name] ?? 0) + 1;
      sockets.add(socket);
      socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    const isTls = behaviour.certificate !== undefined || behaviour.overTls === true;
    urls[name] = `${isTls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return server;
  }

  const servers = await Promise.all([...BEHAVIOURS].map(([name, behaviour]) => open(name, behaviour)));
  return {
    urls,
    received,
    connections,
    close: async () => {
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
}
