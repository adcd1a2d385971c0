import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  credentialsFile,
  findCredentials,
  isReadableOnTheWay,
  parseKey,
  parseUrl,
  storeCredentials,
} from "./credentials.js";

const STORED = { baseUrl: "https://pay.example", publicKey: "pk_test_a", secretKey: "sk_test_b" };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-config-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the stored key", () => {
  it("lies under XDG_CONFIG_HOME, or .config of the home, readable by its owner alone whatever the umask is", () => {
    expect(credentialsFile({ HOME: "/ana" })).toBe("/ana/.config/sluice/credentials.json");
    const before = process.umask(0);
    try {
      const file = storeCredentials({ XDG_CONFIG_HOME: folder }, STORED);
      expect(file).toBe(join(folder, "sluice/credentials.json"));
      expect(statSync(file).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
    expect(findCredentials({ XDG_CONFIG_HOME: folder })).toEqual(STORED);
  });

  it("replaces a file that others can read, and does not write into what a link points to", () => {
    const env = { XDG_CONFIG_HOME: folder };
    const file = storeCredentials(env, STORED);
    chmodSync(file, 0o666);
    storeCredentials(env, STORED);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const elsewhere = join(folder, "elsewhere");
    writeFileSync(elsewhere, "theirs");
    rmSync(file);
    symlinkSync(elsewhere, file);
    storeCredentials(env, STORED);
    expect(readFileSync(elsewhere, "utf8")).toBe("theirs");
    expect(findCredentials(env)).toEqual(STORED);
  });

  it("gives way to the variables, and its address is never used with their key", () => {
    const env = { XDG_CONFIG_HOME: folder };
    storeCredentials(env, STORED);
    const given = { publicKey: "pk_test_c", secretKey: "sk_test_d" };
    const local = { baseUrl: "http://localhost:3000", ...given };
    expect(findCredentials({ ...env, SLUICE_API_KEY: "pk_test_c:sk_test_d" })).toEqual(local);
    expect(findCredentials({ ...env, SLUICE_PUBLIC_KEY: "pk_test_c", SLUICE_SECRET_KEY: "sk_test_d" })).toEqual(local);
    // Nor is the stored key sent to an address of the variables.
    expect(findCredentials({ ...env, SLUICE_BASE_URL: "https://evil.example" })).toEqual(STORED);
  });

  it("is missing or unusable with words that say what to do, and without showing the file", () => {
    const env = { XDG_CONFIG_HOME: folder };
    expect(() => findCredentials(env)).toThrow("Run sluice login");
    const file = storeCredentials(env, STORED);
    writeFileSync(file, '{"public_key":"pk_test_a","secret_key":"verysecret"');
    expect(() => findCredentials(env)).toThrow(/^(?!.*verysecret).*Run sluice login again/);
  });
});

describe("a key", () => {
  it("is a public and a secret key of one environment", () => {
    expect(parseKey(" pk_live_a:sk_live_b\n")).toEqual({ publicKey: "pk_live_a", secretKey: "sk_live_b" });
    expect(parseKey("pk_test_e2_a:sk_test_b").publicKey, "of a further cell").toBe("pk_test_e2_a");
  });

  it.each(["", "pk_test_a", "pk_test_a:sk_live_b", "sk_test_a:pk_test_b", "pk_test_a:sk_test_b:c", "pk_test_a:"])(
    "%j is none, and is not repeated",
    (text) => {
      expect(() => parseKey(text)).toThrow(/^A key is pk_…:sk_…/);
    },
  );
});

describe("an address", () => {
  it("is reduced to its origin", () => {
    expect(parseUrl("https://pay.example/v1/")).toBe("https://pay.example");
    expect(parseUrl("localhost:3200")).toBe("http://localhost:3200");
    expect(parseUrl("127.0.0.1:3200/v1")).toBe("http://127.0.0.1:3200");
    expect(parseUrl("[::1]:3200")).toBe("http://[::1]:3200");
    const elsewhere = ["pay.example:3200", "localhost:3200@evil.example", "localhost:3200evil.example", "localhost"];
    for (const text of [...elsewhere, "pay.example", "ftp://pay.example", "https://user:password@pay.example", ""])
      expect(() => parseUrl(text), text).toThrow("The address of the service");
  });

  it("that is not encrypted and not of this machine is named", () => {
    expect(
      ["http://pay.example", "http://10.0.0.1:3000", "http://127.0.0.1.evil.example"].map(isReadableOnTheWay),
    ).toEqual([true, true, true]);
    expect(
      ["https://pay.example", "http://localhost:3000", "http://127.0.0.1", "http://[::1]:3000"].map(isReadableOnTheWay),
    ).toEqual([false, false, false, false]);
  });
});
