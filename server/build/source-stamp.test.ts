// Tests that a build is repeated exactly if one of its inputs has changed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sourceStamp } from "./source-stamp";

let root: string;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sluice-stamp-"));
  write("app/page.tsx", "page");
  write("server/http/handler.ts", "handler");
  write("package-lock.json", "{}");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("sourceStamp", () => {
  it("is the same for the same sources", async () => {
    expect(await sourceStamp(root)).toBe(await sourceStamp(root));
  });

  it.each([
    ["a changed file", "server/http/handler.ts", "other"],
    ["a new file", "components/ui/button.tsx", "button"],
    ["other packages", "package-lock.json", "{ }"],
    ["another configuration", "next.config.js", "export default {}"],
  ])("changes with %s", async (_title, path, text) => {
    const before = await sourceStamp(root);
    write(path, text);
    expect(await sourceStamp(root)).not.toBe(before);
  });

  it.each(["server/http/handler.test.ts", "server/testing/database.ts", "server/db/generated/client.ts", "docs/a.md"])(
    "does not change with %s, which is not part of a build",
    async (path) => {
      const before = await sourceStamp(root);
      write(path, "anything");
      expect(await sourceStamp(root)).toBe(before);
    },
  );
});
