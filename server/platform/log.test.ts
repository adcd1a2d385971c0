import { describe, expect, it } from "vitest";
import { createLog } from "./log";

function written(fields: object): Record<string, unknown> {
  const lines: string[] = [];
  createLog("info", { write: (line) => lines.push(line) }).info(fields, "message");
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? "") as Record<string, unknown>;
}

describe("log", () => {
  it("redacts secrets at every depth up to three", () => {
    const secret = { authorization: "s3", secretKey: "s3", account_number: "s3", accountNumber: "s3", password: "s3" };
    const line = written({ ...secret, a: { ...secret, b: { ...secret, c: secret } } });
    expect(JSON.stringify(line)).not.toContain("s3");
  });

  it("logs type, message, stack and code of an error and its causes, and no other properties", () => {
    const cause = Object.assign(new Error("check violated"), { detail: "Failing row contains (0001-123456789)" });
    const meta = { driverAdapterError: { cause: { detail: "Failing row contains (0001-123456789)" } } };
    const error = Object.assign(new Error("not stored", { cause }), { code: "P2010", meta });
    const { err } = written({ err: error });
    expect(err).toMatchObject({
      type: "Error",
      message: "not stored",
      code: "P2010",
      cause: { message: "check violated" },
    });
    expect(JSON.stringify(err)).toContain("log.test.ts");
    expect(JSON.stringify(err)).not.toContain("123456789");
  });

  it("has the level as a word and the time as text", () => {
    expect(written({ status: 201 })).toMatchObject({
      level: "info",
      status: 201,
      msg: "message",
      time: expect.stringMatching(/Z$/),
    });
  });
});
