import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { decode, encode } from "fast-png";
import { describe, expect, it } from "vitest";
import { LARGEST_LOGO, LOGO_RULE, LONGEST_LOGO_SIDE } from "@/server/domain/brand";
import { readLogo } from "./logo";

function png(width: number, height: number, channels: 1 | 2 | 3 | 4 = 4): Buffer {
  const data = new Uint8Array(width * height * channels).map((_, index) => index % 251);
  return Buffer.from(encode({ width, height, data, channels, depth: 8 }));
}

function chunk(type: string, data: Buffer): Buffer {
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length);
  frame.write(type, 4, "latin1");
  return Buffer.concat([frame, data, crcOf(Buffer.concat([Buffer.from(type, "latin1"), data]))]);
}

/** CRC-32 bit by bit, as the PNG specification defines it. */
function crcOf(bytes: Buffer): Buffer {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  const four = Buffer.alloc(4);
  four.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return four;
}

const SIGNATURE_LENGTH = 8;
const HEADER_END = SIGNATURE_LENGTH + 12 + 13;

/** The file with a chunk behind its header. */
function withChunk(file: Buffer, type: string, data: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, HEADER_END), chunk(type, data), file.subarray(HEADER_END)]);
}

function headerOf(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return header;
}

const REFUSED = expect.objectContaining({ code: "validation_failed", message: expect.stringContaining(LOGO_RULE) });

function refusalOf(file: Buffer): unknown {
  try {
    return readLogo(file).length;
  } catch (error) {
    return error;
  }
}

describe("a logo", () => {
  it.each([1, 2, 3, 4] as const)("of %i channels keeps its pixels", (channels) => {
    const file = png(40, 30, channels);
    expect(decode(readLogo(file)).data).toEqual(decode(file).data);
  });

  it("loses whatever is not the picture: texts, profiles, places, and bytes behind the end", () => {
    const file = png(8, 8);
    const secret = Buffer.from("Comment\0<script>alert(1)</script>");
    const stuffed = Buffer.concat([
      withChunk(withChunk(withChunk(file, "tEXt", secret), "eXIf", secret), "acTL", secret),
      secret,
    ]);
    expect(readLogo(stuffed)).toEqual(file);
  });

  it("that inflates to gigabytes, or claims more pixels than allowed, is refused before it is decoded", () => {
    const bomb = deflateSync(Buffer.alloc(30_000_000));
    expect(bomb.length).toBeLessThan(LARGEST_LOGO);
    const signature = png(1, 1).subarray(0, SIGNATURE_LENGTH);
    const file = (width: number, height: number, pixels: Buffer) =>
      Buffer.concat([
        signature,
        chunk("IHDR", headerOf(width, height)),
        chunk("IDAT", pixels),
        chunk("IEND", Buffer.alloc(0)),
      ]);
    expect(refusalOf(file(8, 8, bomb))).toEqual(REFUSED);
    expect(refusalOf(file(LONGEST_LOGO_SIDE + 1, 1, deflateSync(Buffer.alloc(9))))).toEqual(REFUSED);
    const second = chunk("IHDR", headerOf(12_000, 12_000));
    const picture = file(8, 8, deflateSync(Buffer.alloc(8 * (8 * 4 + 1))));
    expect(refusalOf(picture)).toEqual(expect.any(Number));
    expect(refusalOf(Buffer.concat([picture.subarray(0, HEADER_END), second, picture.subarray(HEADER_END)]))).toEqual(
      REFUSED,
    );
    expect(refusalOf(file(0, 8, deflateSync(Buffer.alloc(9))))).toEqual(REFUSED);
  });

  it("in another format, without a header, with a wrong checksum, or over the limit of bytes is refused", () => {
    const file = png(8, 8);
    const damaged = Buffer.from(file);
    damaged.writeUInt8(file.readUInt8(HEADER_END + 10) ^ 1, HEADER_END + 10);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
    const noise = Buffer.concat([file, Buffer.alloc(LARGEST_LOGO)]);
    for (const bad of [Buffer.alloc(0), svg, file.subarray(0, SIGNATURE_LENGTH), damaged, noise])
      expect(refusalOf(bad)).toEqual(REFUSED);
  });

  it("is a picture or refused, whatever bytes of a file are changed", () => {
    const file = png(12, 9, 3);
    const changes = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(changes, (changed) => {
        const bad = Buffer.from(file);
        for (const [at, byte] of changed) bad.writeUInt8(byte, at);
        const found = refusalOf(bad);
        expect(typeof found === "number" ? decode(readLogo(bad)).width : found).toEqual(
          typeof found === "number" ? 12 : REFUSED,
        );
      }),
    );
  });
});
