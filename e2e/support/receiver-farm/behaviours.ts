// How the receivers of the farm behave, by name.
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A certificate in the folder beside this file. */
export type Certificate = "trusted" | "expired" | "self-signed" | "other-host";

/** `answer` receives a whole request; `serve` a bare connection. */
export type Behaviour = { readonly certificate?: Certificate; readonly overTls?: true } & (
  | { answer(response: ServerResponse, context: { body: string; urlOf(name: string): string }): void }
  | { serve(socket: Socket): void }
);

type Answer = Extract<Behaviour, { answer: unknown }>["answer"];

const CHUNK = Buffer.alloc(16 * 1024, "x");
const SLOW_MS = 300;
const DRIP_MS = 20;

function status(code: number, headers: Record<string, string> = {}, body = ""): { answer: Answer } {
  return { answer: (response) => response.writeHead(code, headers).end(body) };
}

/** Waits for the request's first bytes before it acts. */
function onRequest(act: (socket: Socket) => void): { serve(socket: Socket): void } {
  return { serve: (socket) => void socket.once("data", () => act(socket)) };
}

function repeat(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), DRIP_MS);
  socket.on("close", () => clearInterval(timer));
}

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
const UNBOUNDED = `${HEAD}Connection: close\r\n\r\n`;

function writeEndlessly(socket: Socket, chunk: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", more);
  more();
}

const GOOD: Readonly<Record<string, Behaviour>> = {
  ok: status(200, {}, "ok"),
  slow_ok: { answer: (response) => void setTimeout(() => response.end("ok"), SLOW_MS) },
  no_content: status(204),
  accepted_echo: { answer: (response, { body }) => void response.writeHead(202).end(body) },
  tls_trusted: { ...status(200, {}, "ok"), certificate: "trusted" },
  /** The target of redirects; a delivery here has followed one. */
  trap: status(200, {}, "trapped"),
};

const HOSTILE: Readonly<Record<string, Behaviour>> = {
  hang_on_accept: { serve: (socket) => void socket.pause() },
  hang_before_headers: { serve: (socket) => void socket.resume() },
  hang_in_headers: onRequest((socket) => socket.write(HEAD)),
  hang_in_body: onRequest((socket) => socket.write(`${HEAD}Content-Length: 100\r\n\r\nhalf`)),
  endless_body: onRequest((socket) => {
    socket.write(UNBOUNDED);
    writeEndlessly(socket, CHUNK);
  }),
  endless_error_body: onRequest((socket) => {
    socket.write(UNBOUNDED.replace("200 OK", "500 Oops"));
    writeEndlessly(socket, CHUNK);
  }),
  endless_headers: onRequest((socket) => {
    socket.write(HEAD);
    writeEndlessly(socket, `X-Filler: ${"x".repeat(1_000)}\r\n`);
  }),
  endless_continue: onRequest((socket) => repeat(socket, "HTTP/1.1 102 Processing\r\n\r\n")),
  drip_headers: onRequest((socket) => {
    socket.write(HEAD);
    repeat(socket, "X-Drip: 1\r\n");
  }),
  drip_body: onRequest((socket) => {
    socket.write(UNBOUNDED);
    repeat(socket, "x");
  }),
  reset_on_accept: { serve: (socket) => void socket.resetAndDestroy() },
  reset_before_headers: onRequest((socket) => socket.resetAndDestroy()),
  reset_after_headers: onRequest((socket) =>
    socket.write(`${HEAD}Content-Length: 100\r\n\r\nhalf`, () => socket.resetAndDestroy()),
  ),
  close_without_answer: onRequest((socket) => socket.end()),
  close_mid_body: onRequest((socket) => socket.end(`${HEAD}Content-Length: 100\r\n\r\nhalf`)),
  garbage: onRequest((socket) => socket.end("\0\x01\x02 this is not HTTP \xff\r\n\r\n")),
  two_lengths: onRequest((socket) => socket.end(`${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok!`)),
  status_0: onRequest((socket) => socket.end("HTTP/1.1 000 Nothing\r\nContent-Length: 2\r\n\r\nok")),
  status_99: onRequest((socket) => socket.end("HTTP/1.1 099 Less\r\nContent-Length: 2\r\n\r\nok")),
  status_999: onRequest((socket) => socket.end("HTTP/1.1 999 Denied\r\nContent-Length: 2\r\n\r\nok")),
  status_2000: onRequest((socket) => socket.end("HTTP/1.1 2000 Much\r\nContent-Length: 2\r\n\r\nok")),
  status_0_endless: onRequest((socket) => {
    socket.write("HTTP/1.1 000 Nothing\r\nConnection: close\r\n\r\n");
    writeEndlessly(socket, CHUNK);
  }),
  switching: onRequest((socket) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"),
  ),
  compressed: status(200, { "content-encoding": "gzip" }, "not gzip at all"),
  not_text: { answer: (response) => response.end(Buffer.from([0x61, 0, 0xff, 0xfe, 0xc3, 0x62])) },
  not_found: status(404),
  gone: status(410),
  server_error: status(500, {}, "Oops"),
  bad_gateway: status(502, { "retry-after": "30" }),
  busy: status(429, { "retry-after": "120" }),
  busy_for_ages: status(429, { "retry-after": "1000000000" }),
  busy_negative: status(429, { "retry-after": "-1" }),
  busy_until_2099: status(503, { "retry-after": "Thu, 01 Jan 2099 00:00:00 GMT" }),
  busy_garbage: status(503, { "retry-after": "1e9; soon" }),
  tls_expired: { ...status(200), certificate: "expired" },
  tls_self_signed: { ...status(200), certificate: "self-signed" },
  tls_other_host: { ...status(200), certificate: "other-host" },
  tls_hang: { serve: (socket) => void socket.resume(), overTls: true },
  tls_garbage: { ...onRequest((socket) => socket.end("no TLS here\r\n")), overTls: true },
};

function redirect(code: number): Behaviour {
  return { answer: (response, { urlOf }) => response.writeHead(code, { location: urlOf("trap") }).end() };
}

const REDIRECTS = Object.fromEntries([301, 302, 303, 307, 308].map((code) => [`redirect_${code}`, redirect(code)]));

export const BEHAVIOURS: ReadonlyMap<string, Behaviour> = new Map(
  Object.entries({ ...GOOD, ...HOSTILE, ...REDIRECTS }),
);

/** The behaviors that never accept a delivery, or harm the sender. */
export const HOSTILE_BEHAVIOURS: readonly string[] = [...Object.keys(HOSTILE), ...Object.keys(REDIRECTS)];
