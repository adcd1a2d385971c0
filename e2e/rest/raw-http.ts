// Sends HTTP byte by byte, for requests that no client library would send.
import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends the bytes on a new connection and reads until the service closes it, at most `withinMs`. */
export function sendRaw(origin: string, request: string | Buffer, withinMs = 30_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(request));
    const timer = setTimeout(() => socket.destroy(new Error("no answer in time")), withinMs);
    const finish = () => {
      clearTimeout(timer);
      const answer = parse(Buffer.concat(chunks).toString("utf8"));
      if (answer) resolve(answer);
      else reject(new Error("the connection was closed without an answer"));
    };
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", (error) => (chunks.length > 0 ? finish() : reject(error)));
    socket.on("close", finish);
  });
}

function parse(text: string): RawAnswer | null {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1];
  if (end === -1 || status === undefined) return null;
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1));
  return { status: Number(status), headers, text: text.slice(end + 4) };
}

/** A request's text that closes the connection after the answer. The lines are as on the wire. */
export function requestText(firstLine: string, headers: readonly string[], body = ""): string {
  return [firstLine, ...headers, "connection: close", "", body].join("\r\n");
}
