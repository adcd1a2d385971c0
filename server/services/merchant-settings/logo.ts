// Reads a logo that somebody uploaded, which may be any file.
import { inflateSync } from "node:zlib";
import { decode } from "fast-png";
import { LARGEST_LOGO, LOGO_RULE, LONGEST_LOGO_SIDE } from "@/server/domain/brand";
import { validationError } from "@/server/domain/errors";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER_LENGTH = 13;
/** Length, type and checksum of a chunk, in bytes. */
const FRAME = 12;
/** The chunks that hold the picture. Others hold texts, places, other pictures or whatever their author wanted. */
const KEPT = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
/** Of the pixels before compression, in bytes: four channels of two bytes each, and one byte for each line of seven passes. */
const LARGEST_PIXELS = LONGEST_LOGO_SIDE * (LONGEST_LOGO_SIDE * 8 + 7);

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** With its frame. */
  readonly whole: Buffer;
}

/** The chunks of a PNG file until its end; throws RangeError where it is none. */
function* chunksOf(file: Buffer): Iterable<Chunk> {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new RangeError("no PNG signature");
  for (let at = SIGNATURE.length; ; ) {
    const end = at + FRAME + file.readUInt32BE(at);
    if (end > file.length) throw new RangeError("a chunk is longer than the file");
    const type = file.toString("latin1", at + 4, at + 8);
    yield { type, data: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) };
    if (type === "IEND") return;
    at = end;
  }
}

function isSmall(header: Buffer): boolean {
  const sides = [header.readUInt32BE(0), header.readUInt32BE(4)];
  return header.length === HEADER_LENGTH && sides.every((side) => side >= 1 && side <= LONGEST_LOGO_SIDE);
}

/** Returns the picture without anything else that the file holds. Throws validation_failed for every other file. */
export function readLogo(file: Buffer): Buffer {
  try {
    if (file.length > LARGEST_LOGO) throw new RangeError("too many bytes");
    const chunks = [...chunksOf(file)].filter(({ type }) => KEPT.has(type));
    const [header, ...others] = chunks;
    if (header?.type !== "IHDR" || !isSmall(header.data)) throw new RangeError("too many pixels");
    // The decoder believes the last header.
    if (others.some(({ type }) => type === "IHDR")) throw new RangeError("two headers");
    // A few bytes can inflate to gigabytes; the decoder has no limit.
    const pixels = chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data);
    inflateSync(Buffer.concat(pixels), { maxOutputLength: LARGEST_PIXELS });
    const logo = Buffer.concat([SIGNATURE, ...chunks.map(({ whole }) => whole)]);
    decode(logo, { checkCrc: true });
    return logo;
  } catch {
    // Whatever the decoder throws, the file is no such picture.
    throw validationError("logo", LOGO_RULE);
  }
}
