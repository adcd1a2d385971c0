// Sends what well-behaved clients refuse to send: over keep-alive connections, or byte for byte over a bare socket.
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { fill, type Values } from "./placeholders";
import type { HeaderValues, TableRequest } from "./table";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly ms: number;
  /** For bare sockets: true if the service closed the connection. */
  readonly hasClosed: boolean;
}

const GIVE_UP_AFTER_MS = 5_000;
/** A larger body is rejected while it is being sent, which closes its connection. */
const LARGE_BYTES = 64 * 1024;

/** Header values as the bytes of their UTF-8, the form in which Node accepts non-ASCII text. */
function onWire(value: string, values: Values): string {
  return Buffer.from(fill(value, values)).toString("latin1");
}

function headersOf(
  { body, bodyBase64, headers = {} }: TableRequest,
  values: Values,
): Record<string, string | string[]> {
  const hasBody = body !== undefined || bodyBase64 !== undefined;
  const all: HeaderValues = {
    authorization: "{{auth}}",
    ...(hasBody ? { "content-type": "application/json" } : {}),
    ...headers,
  };
  const present = Object.entries(all).filter(
    (entry): entry is [string, string | readonly string[]] => entry[1] !== null,
  );
  return Object.fromEntries(
    present.map(([name, value]) => [
      name,
      typeof value === "string" ? onWire(value, values) : value.map((one) => onWire(one, values)),
    ]),
  );
}

function bytesOf({ body, bodyBase64 }: TableRequest, values: Values): Buffer | null {
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, "base64");
  if (body === undefined) return null;
  return Buffer.from(fill(typeof body === "string" ? body : JSON.stringify(body), values));
}

/** Creates a client of the service; `close` ends its connections. */
export function createSender(baseUrl: string, connections: number) {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  function sendOverHttp(one: TableRequest, values: Values): Promise<Answer> {
    const bytes = bytesOf(one, values);
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const isLarge = (bytes?.byteLength ?? 0) > LARGE_BYTES;
      const outgoing = request({
        hostname,
        port,
        agent: isLarge ? false : agent,
        method: one.method ?? "GET",
        path: fill(one.path ?? "/", values),
        headers: headersOf(one, values),
        timeout: GIVE_UP_AFTER_MS,
      });
      outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${GIVE_UP_AFTER_MS} ms`)));
      outgoing.on("error", reject);
      outgoing.on("response", (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const pairs = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: Object.fromEntries(pairs),
            text: Buffer.concat(chunks).toString("utf8"),
            ms: performance.now() - startedAt,
            hasClosed: false,
          });
        });
      });
      outgoing.end(bytes ?? undefined);
    });
  }

  function sendRaw(text: string, values: Values): Promise<Answer> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port) });
      let back = "";
      let answeredAt = 0;
      const finish = (hasClosed: boolean) => {
        clearTimeout(timer);
        socket.destroy();
        resolve({ ...parseAnswer(back), ms: (answeredAt || performance.now()) - startedAt, hasClosed });
      };
      const timer = setTimeout(() => finish(false), GIVE_UP_AFTER_MS);
      socket.setEncoding("utf8").on("data", (chunk: string) => {
        back += chunk;
        answeredAt ||= performance.now();
      });
      socket.on("error", () => finish(true)).on("end", () => finish(true));
      socket.write(Buffer.from(fill(text, values), "latin1"));
    });
  }

  return {
    send: (one: TableRequest, values: Values): Promise<Answer> =>
      one.raw === undefined ? sendOverHttp(one, values) : sendRaw(one.raw, values),
    close: () => agent.destroy(),
  };
}

export type Sender = ReturnType<typeof createSender>;

/** The first final answer in the received bytes; status 0 without one. */
function parseAnswer(back: string): Pick<Answer, "status" | "headers" | "text"> {
  const end = back.indexOf("\r\n\r\n");
  const [first = "", ...lines] = back.slice(0, Math.max(end, 0)).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? 0);
  const rest = back.slice(end + 4);
  if (status === 100) return parseAnswer(rest);
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status, headers: Object.fromEntries(headers), text: rest };
}
