import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { bodyOf, headersOf } from "./incoming-message";

it("a header is found in any case; one that was not sent is null", () => {
  const request = { headers: { "sluice-signature": "v1,abc", "x-list": ["a", "b"] } } as unknown as IncomingMessage;
  const headers = headersOf(request);
  for (const name of ["sluice-signature", "Sluice-Signature", "SLUICE-SIGNATURE"])
    expect(headers.get(name)).toBe("v1,abc");
  expect([headers.get("X-List"), headers.get("Authorization")]).toEqual(["a, b", null]);
});

function arriving(): { readonly stream: PassThrough; readonly body: Promise<Uint8Array> } {
  const stream = Object.assign(new PassThrough(), { headers: {} });
  return { stream, body: bodyOf(stream as unknown as IncomingMessage) };
}

it("a body is complete when it ends", async () => {
  const { stream, body } = arriving();
  stream.write("ab");
  stream.end("c");
  expect(Buffer.from(await body).toString()).toBe("abc");
});

it("a body whose sender disconnects is the caller's fault", async () => {
  const { stream, body } = arriving();
  stream.write("ab");
  stream.destroy();
  await expect(body).rejects.toMatchObject({ code: "validation_failed" });
});
