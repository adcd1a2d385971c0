// Draws QR codes: as one SVG path for pages, and as SVG and PNG files.
import { encode as encodePng } from "fast-png";
import { encode } from "uqr";
import type { QrPicture } from "@/server/contract/payer";

/** Light modules around the code, as the standard requires. */
const QUIET_ZONE = 4;
const PIXELS_PER_MODULE = 8;
const BLACK = 0;
const WHITE = 255;

function modules(text: string): boolean[][] {
  return encode(text, { ecc: "M", border: QUIET_ZONE }).data;
}

/** Encodes a text: every dark run of a row is one rectangle of the path. */
export function qrPicture(text: string): QrPicture {
  const rows = modules(text);
  const path = rows.map((row, y) => rowPath(row, y)).join("");
  return { size: rows.length, path };
}

function rowPath(row: readonly boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; ) {
    let end = x;
    while (row[end]) end += 1;
    if (end > x) path += `M${x} ${y}h${end - x}v1h-${end - x}z`;
    x = end + 1;
  }
  return path;
}

/** Returns the code as an SVG document. It is dark on white in every theme, because scanners expect that. */
export function qrSvg(text: string): string {
  const { size, path } = qrPicture(text);
  const side = size * PIXELS_PER_MODULE;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${size} ${size}" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
  );
}

/** Returns the code as a grayscale PNG file. */
export function qrPng(text: string): Uint8Array<ArrayBuffer> {
  const rows = modules(text);
  const side = rows.length * PIXELS_PER_MODULE;
  const data = new Uint8Array(side * side);
  for (let index = 0; index < data.length; index += 1) {
    const row = rows[Math.floor(index / side / PIXELS_PER_MODULE)];
    data[index] = row?.[Math.floor((index % side) / PIXELS_PER_MODULE)] ? BLACK : WHITE;
  }
  return new Uint8Array(encodePng({ width: side, height: side, data, channels: 1, depth: 8 }));
}
