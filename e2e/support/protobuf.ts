// Reads the wire format of Protocol Buffers: the fields of a message by their numbers, in the order of the bytes.

/** The values of each field: numbers as bigint, and everything else as bytes. */
export type Message = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Reads a message. Throws RangeError for bytes that are none. */
export function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError(`a field of ${length} bytes exceeds its message`);
    at += length;
    return bytes.subarray(at - length, at);
  };
  const value = (type: number): bigint | Buffer => {
    if (type === WIRE.varint) return varint();
    if (type === WIRE.fixed64) return take(8).readBigUInt64LE();
    if (type === WIRE.fixed32) return BigInt(take(4).readUInt32LE());
    if (type === WIRE.bytes) return take(Number(varint()));
    throw new RangeError(`wire type ${type} is unknown`);
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const field = fields.get(key >> 3) ?? [];
    field.push(value(key & 7));
    fields.set(key >> 3, field);
  }
  return fields;
}

/** Returns the messages in a field. */
export function messagesIn(message: Message, field: number): Message[] {
  return (message.get(field) ?? []).map((value) => readMessage(bytesOf(value)));
}

/** Returns the bytes of a field that occurs once; empty if it is absent. */
export function bytesIn(message: Message, field: number): Buffer {
  return bytesOf(message.get(field)?.[0] ?? Buffer.alloc(0));
}

/** Returns the number of a field that occurs once; 0 if it is absent. */
export function numberIn(message: Message, field: number): bigint {
  const value = message.get(field)?.[0] ?? 0n;
  if (typeof value !== "bigint") throw new RangeError(`field ${field} is no number`);
  return value;
}

function bytesOf(value: bigint | Buffer): Buffer {
  if (typeof value === "bigint") throw new RangeError("a number is no message");
  return value;
}
