import { expect, it } from "vitest";
import { textOfFile } from "./file-text";

it("a file is read as UTF-8, or else as Windows writes it", () => {
  expect(textOfFile(new TextEncoder().encode("São Paulo").buffer)).toBe("São Paulo");
  expect(textOfFile(new Uint8Array([0x53, 0xe3, 0x6f]).buffer)).toBe("São");
});
