// Answers sent before any handler runs: to requests that Node cannot parse, and to requests that Next would answer
// wrongly.
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { API_VERSION } from "@/server/domain/api-version";
import { ERROR_STATUS, type ErrorCode } from "@/server/domain/errors";
import { newId } from "@/server/platform/ids";
import { strictTransport } from "./strict-transport";

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const DRAIN_RETRY_SECONDS = 2;

export const DRAINING: Refusal = {
  code: "service_unavailable",
  message: "The service is stopping; retry the request.",
  headers: { "retry-after": String(DRAIN_RETRY_SECONDS) },
};

/** A rejection of the request itself, such as `URL is longer than 4096 bytes`. */
export function malformed(message: string): Refusal {
  return { code: "validation_failed", message };
}

/** The rejection of a method that no part of the service supports, including TRACE and CONNECT. */
export function methodNotAllowed(allow: string): Refusal {
  return { code: "method_not_allowed", message: "The method is not allowed for this path.", headers: { allow } };
}

function headersOf(refusal: Refusal, body: string): Record<string, string> {
  return {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "request-id": newId("request"),
    "api-version": API_VERSION,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    connection: "close",
    ...strictTransport(),
    ...refusal.headers,
  };
}

function bodyOf({ code, message }: Refusal): string {
  return JSON.stringify({ error: { code, message } });
}

/** Answers with the error envelope (interface §2.4) and ends the connection. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  const body = bodyOf(refusal);
  response.writeHead(ERROR_STATUS[refusal.code], headersOf(refusal, body)).end(body);
}

const REASONS: Readonly<Record<number, string>> = { 400: "Bad Request", 405: "Method Not Allowed" };

/** The same on a bare connection, for which Node made no response object. Closes the connection. */
export function refuseConnection(socket: Duplex, refusal: Refusal): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = bodyOf(refusal);
  const status = ERROR_STATUS[refusal.code];
  const lines = Object.entries(headersOf(refusal, body)).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${REASONS[status] ?? "Error"}\r\n${lines.join("\r\n")}\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
}
