import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { headersOf } from "./incoming-message";

it("a header is found in any case; one that was not sent is null", () => {
  const request = { headers: { "sluice-signature": "v1,abc", "x-list": ["a", "b"] } } as unknown as IncomingMessage;
  const headers = headersOf(request);
  for (const name of ["sluice-signature", "Sluice-Signature", "SLUICE-SIGNATURE"])
    expect(headers.get(name)).toBe("v1,abc");
  expect([headers.get("X-List"), headers.get("Authorization")]).toEqual(["a, b", null]);
});
