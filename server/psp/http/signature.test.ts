// The signature, against a vector computed by openssl and against forgeries.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isSigned, signatureOf, signedHeaders } from "./signature";

const SECRET = "an example secret of 32 characters or more";
const MESSAGE = {
  method: "POST",
  path: "/v1/payments",
  body: '{"reference":"dord_01h455vb4pex5vsknk084sn02q","amount":"1050"}',
};
const NOW = new Date("2026-11-21T09:30:00.000Z");
const VECTOR = "v1=5418f43ff57e06dd1cd0000ace73b3317c4e651f7f28332d89e627f20d3fff4a";

describe("signatures", () => {
  it("equal what openssl computes over timestamp, method, path and body", () => {
    expect(signatureOf(SECRET, "1795253400", MESSAGE)).toBe(VECTOR);
    expect(signedHeaders(SECRET, MESSAGE, NOW)).toEqual({
      "Sluice-Timestamp": "1795253400",
      "Sluice-Signature": VECTOR,
    });
  });

  it("are documented for bridge developers with this same vector", () => {
    const document = readFileSync(new URL("../../../docs/provider-protocol.md", import.meta.url), "utf8");
    const { method, path, body } = MESSAGE;
    expect(document).toContain(SECRET);
    expect(document).toContain(`1795253400.${method}.${path}.${body}`);
    expect(document).toContain(VECTOR);
  });

  it("are accepted up to five minutes either way, and not after", () => {
    const headers = new Headers(signedHeaders(SECRET, MESSAGE, NOW));
    const at = (seconds: number) => isSigned(SECRET, MESSAGE, headers, new Date(NOW.getTime() + seconds * 1000));
    expect([at(0), at(300), at(-300), at(301), at(-301)]).toEqual([true, true, true, false, false]);
  });

  it.each([
    ["another secret", `${SECRET}!`, MESSAGE],
    ["another body", SECRET, { ...MESSAGE, body: `${MESSAGE.body} ` }],
    ["another path", SECRET, { ...MESSAGE, path: "/v1/payouts" }],
    ["another method", SECRET, { ...MESSAGE, method: "PUT" }],
  ])("are rejected over %s", (_name, secret, message) => {
    expect(isSigned(secret, message, new Headers(signedHeaders(SECRET, MESSAGE, NOW)), NOW)).toBe(false);
  });

  it.each([
    ["no headers", {}],
    ["no signature", { "Sluice-Timestamp": "1795253400" }],
    ["no timestamp", { "Sluice-Signature": VECTOR }],
    ["a timestamp that is no number", { "Sluice-Timestamp": "1795253400.0", "Sluice-Signature": VECTOR }],
    ["an empty timestamp", { "Sluice-Timestamp": "", "Sluice-Signature": VECTOR }],
    [
      "a signature of another version",
      { "Sluice-Timestamp": "1795253400", "Sluice-Signature": VECTOR.replace("v1", "v0") },
    ],
    ["a cut signature", { "Sluice-Timestamp": "1795253400", "Sluice-Signature": VECTOR.slice(0, -1) }],
    ["two signatures", { "Sluice-Timestamp": "1795253400", "Sluice-Signature": `${VECTOR}, ${VECTOR}` }],
  ])("are rejected with %s", (_name, headers) => {
    expect(isSigned(SECRET, MESSAGE, new Headers(headers as Record<string, string>), NOW)).toBe(false);
  });
});
