// Hostile headers and bodies: a contract answer within seconds, nothing created, nothing held open.
import { gzipSync } from "node:zlib";
import { paymentBody } from "./bodies";
import { refusalOf, sendText } from "./calls";
import { basic, expect, test } from "./parties";
import { requestText, sendRaw } from "./raw-http";

interface Envelope {
  readonly error: { readonly code: string; readonly message: string };
}
const codeOf = (text: string) => (JSON.parse(text) as Envelope).error.code;

test.describe("headers", () => {
  test("17 KB of headers are rejected with the envelope", async ({ service }) => {
    const headers = ["host: x", `x-filler: ${"x".repeat(17 * 1024)}`];
    const { status, text } = await sendRaw(service.baseUrl, requestText("GET /v1/wallets HTTP/1.1", headers));
    expect(status).toBe(400);
    expect(codeOf(text)).toBe("validation_failed");
  });

  test("two Authorization headers count as none, even if both are valid", async ({ service, ownMerchant }) => {
    const line = `authorization: ${basic(ownMerchant.keys.test)}`;
    const { status } = await sendRaw(service.baseUrl, requestText("GET /v1/wallets HTTP/1.1", ["host: x", line, line]));
    expect(status).toBe(401);
  });

  for (const [name, value] of [
    ["idempotency-key", "one"],
    ["content-type", "application/json"],
  ] as const) {
    test(`${name} sent twice is rejected and creates nothing`, async ({ service, ownMerchant, database }) => {
      const body = JSON.stringify(paymentBody());
      const headers = [
        "host: x",
        `authorization: ${basic(ownMerchant.keys.test)}`,
        `content-length: ${Buffer.byteLength(body)}`,
        ...(name === "content-type" ? [] : ["content-type: application/json"]),
        `${name}: ${value}`,
        `${name}: ${value}`,
      ];
      const { status, text } = await sendRaw(
        service.baseUrl,
        requestText("POST /v1/payment_intents HTTP/1.1", headers, body),
      );
      expect(status).toBe(400);
      expect(codeOf(text)).toBe("validation_failed");
      const { merchant_reference } = JSON.parse(body) as { merchant_reference: string };
      expect(
        await database.query("SELECT FROM payment_intent WHERE merchant_reference = $1", merchant_reference),
      ).toEqual([]);
    });
  }

  test("conflicting lengths and broken request lines close the connection with 400", async ({ service }) => {
    for (const text of [
      "POST /v1/payment_intents HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST /v1/payment_intents HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello",
      "GET /v1/wallets HTTP/9.9\r\nhost: x\r\n\r\n",
      "nonsense\r\n\r\n",
    ]) {
      const answer = await sendRaw(service.baseUrl, text);
      expect(answer.status, text).toBe(400);
      expect(codeOf(answer.text)).toBe("validation_failed");
    }
  });
});

test.describe("bodies", () => {
  const json = { "content-type": "application/json" };

  test("64 KiB are read; one byte more is 413, announced or streamed, and creates nothing", async ({
    service,
    ownMerchant,
    api,
    database,
  }) => {
    const body = paymentBody();
    const sized = (bytes: number) => {
      const text = JSON.stringify({ ...body, filler: "" });
      return text.replace('"filler":""', `"filler":"${"x".repeat(bytes - text.length)}"`);
    };
    const announced = await sendText(api, "/payment_intents", sized(65_537));
    expect(refusalOf(announced, 413).code).toBe("payload_too_large");
    const chunk = "x".repeat(1024);
    const chunked = `${(1024).toString(16)}\r\n${chunk}\r\n`.repeat(80);
    const headers = [
      "host: x",
      `authorization: ${basic(ownMerchant.keys.test)}`,
      "content-type: application/json",
      "transfer-encoding: chunked",
    ];
    const streamed = await sendRaw(
      service.baseUrl,
      requestText("POST /v1/payment_intents HTTP/1.1", headers, `${chunked}0\r\n\r\n`),
    );
    expect([streamed.status, codeOf(streamed.text)]).toEqual([413, "payload_too_large"]);
    expect(
      await database.query("SELECT FROM payment_intent WHERE merchant_reference = $1", body.merchant_reference),
    ).toEqual([]);
    expect((await sendText(api, "/payment_intents", sized(65_536))).status).toBe(201);
  });

  test("an unread body is not taken for the next request on the connection", async ({ service, ownMerchant }) => {
    const smuggled = "GET /v1/smuggled HTTP/1.1\r\nhost: x\r\n\r\n";
    const unread = (firstLine: string, authorization: string) =>
      [
        firstLine,
        "host: x",
        `authorization: ${authorization}`,
        `content-length: ${smuggled.length}`,
        "",
        smuggled,
      ].join("\r\n");
    const last = requestText("GET /v1/wallets HTTP/1.1", ["host: x", `authorization: ${basic(ownMerchant.keys.test)}`]);
    for (const [firstLine, authorization, status] of [
      ["POST /v1/payment_intents HTTP/1.1", "Basic eDp5", 401],
      ["POST /v1/no_such_route HTTP/1.1", basic(ownMerchant.keys.test), 404],
      ["GET /v1/wallets HTTP/1.1", basic(ownMerchant.keys.test), 200],
      ["GET /healthz HTTP/1.1", "Basic eDp5", 200],
    ] as const) {
      const { text, ...first } = await sendRaw(service.baseUrl, unread(firstLine, authorization) + last);
      expect(first.status, firstLine).toBe(status);
      const following = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code]) => code);
      expect(following.length, "at most one further answer").toBeLessThanOrEqual(1);
      if (following.length === 1) expect(following).toEqual(["200"]);
    }
  });

  test("a compressed body is rejected, not unpacked", async ({ service, ownMerchant }) => {
    const headers = { ...json, authorization: basic(ownMerchant.keys.test), "content-encoding": "gzip" };
    const body = new Uint8Array(gzipSync(JSON.stringify(paymentBody())));
    const answer = await fetch(`${service.baseUrl}/v1/payment_intents`, { method: "POST", headers, body });
    expect(answer.status).toBe(400);
    expect(codeOf(await answer.text())).toBe("validation_failed");
  });

  test("a body that never arrives does not hold the connection open forever", async ({ service, ownMerchant }) => {
    test.slow();
    const headers = [
      "host: x",
      `authorization: ${basic(ownMerchant.keys.test)}`,
      "content-type: application/json",
      "content-length: 50",
    ];
    const answer = await sendRaw(
      service.baseUrl,
      requestText("POST /v1/payment_intents HTTP/1.1", headers, "{"),
      15_000,
    );
    expect(answer.status).toBe(400);
    expect(codeOf(answer.text)).toBe("validation_failed");
  });
});
