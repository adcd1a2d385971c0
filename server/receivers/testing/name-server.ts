// A DNS server on the loopback for tests, with a table of names.
import { createSocket } from "node:dgram";
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

const TYPES: Readonly<Record<number, "A" | "AAAA">> = { 1: "A", 28: "AAAA" };
const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;

/** The answers about a name: addresses of both kinds, or failing queries of one kind. */
export interface Zone {
  readonly addresses: readonly string[];
  readonly failing?: "A" | "AAAA";
}

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; question[at]; at += 1 + (question[at] ?? 0))
    labels.push(question.toString("latin1", at + 1, at + 1 + (question[at] ?? 0)));
  return labels.join(".").toLowerCase();
}

/** Builds a record for the question's name with a TTL of zero. */
function recordOf(address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.from([0xc0, 0x0c, 0, isIPv4(address) ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([head, bytes]);
}

function answerTo(query: Buffer, zones: ReadonlyMap<string, Zone>): Buffer {
  // The question is the name, ended by an empty label, then two bytes each of type and class; ignores the rest.
  const end = query.indexOf(0, 12) + 5;
  const question = query.subarray(12, end);
  const type = TYPES[question.readUInt16BE(question.length - 4)];
  const zone = zones.get(nameIn(question));
  const fails = zone !== undefined && zone.failing === type;
  const records = (fails ? [] : (zone?.addresses ?? []))
    .filter((address) => (isIPv4(address) ? "A" : "AAAA") === type)
    .map(recordOf);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  const code = zone === undefined ? NO_SUCH_NAME : fails ? SERVER_FAILURE : NO_ERROR;
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

/** Starts on a free port of 127.0.0.1; `address` has the format of a resolver's server list. */
export async function startNameServer(
  zones: ReadonlyMap<string, Zone>,
): Promise<{ address: string; stop(): Promise<void> }> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { address, port }) => socket.send(answerTo(query, zones), port, address));
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
