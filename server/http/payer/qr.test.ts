// Tests that every drawing of a QR code is that code.
import { decode } from "fast-png";
import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import { qrPicture, qrPng, qrSvg } from "./qr";

const TEXTS = ["1", "00020126580014br.gov.bcb.pix013658543e00", "x".repeat(900), "é漢字 emoji 🎏"];

function modules(text: string): boolean[][] {
  return encode(text, { ecc: "M", border: 4 }).data;
}

/** The modules that a path of rectangles paints. */
function painted(path: string, size: number): boolean[][] {
  const grid = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    grid[Number(y)]?.fill(true, Number(x), Number(x) + Number(width));
  }
  return grid;
}

describe("QR codes", () => {
  it.each(TEXTS)("the path paints exactly the dark modules, with the quiet zone around them: %.20s", (text) => {
    const { path, size } = qrPicture(text);
    expect(painted(path, size)).toEqual(modules(text));
    expect(path.replace(/M\d+ \d+h\d+v1h-\d+z/g, "")).toBe("");
    expect(qrSvg(text)).toContain(`<path d="${path}"/>`);
  });

  it.each(TEXTS)("each pixel of the PNG has its module's color: %.20s", (text) => {
    const expected = modules(text);
    const { width, height, data } = decode(qrPng(text));
    expect([width, height]).toEqual([expected.length * 8, expected.length * 8]);
    const wrong = [...data].findIndex((value, index) => {
      const [x, y] = [index % width, Math.floor(index / width)];
      return (value === 0) !== expected[Math.floor(y / 8)]?.[Math.floor(x / 8)];
    });
    expect(wrong).toBe(-1);
  });
});
