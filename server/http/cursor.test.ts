// Tests that cursors preserve a position, for one merchant, environment and route, and cannot be forged.
import { beforeEach, describe, expect, it } from "vitest";
import type { Scope } from "@/server/domain/scope";
import { decodeCursor, encodeCursor } from "./cursor";

const OLD = Buffer.alloc(32, 1).toString("base64");
const NEW = Buffer.alloc(32, 2).toString("base64");
const shared = globalThis as { sluiceEnv?: unknown; sluiceKeyRing?: unknown };

function useSecrets(...secrets: string[]): void {
  process.env.SLUICE_SECRETS = secrets.join(",");
  delete shared.sluiceEnv;
  delete shared.sluiceKeyRing;
}

beforeEach(() => useSecrets(OLD));

const SCOPE: Scope = { merchantId: "mer_01h455vb4pex5vsknk084sn02q", environment: "test" };
const ROUTE = "/payout_intents";
const POSITION = { createdAt: new Date("2026-11-21T09:30:00.123Z"), id: "word_01h455vb4pex5vsknk084sn02q" };
const cursor = () => encodeCursor(SCOPE, ROUTE, POSITION);
const REFUSED = "cursor is not a cursor of this list";

describe("a cursor", () => {
  it("returns its position to the millisecond", () => {
    expect(decodeCursor(SCOPE, ROUTE, cursor())).toEqual(POSITION);
    const early = { ...POSITION, createdAt: new Date(-1) };
    expect(decodeCursor(SCOPE, ROUTE, encodeCursor(SCOPE, ROUTE, early))).toEqual(early);
  });

  it("is safe in a URL and within the length that lists accept", () => {
    expect(cursor()).toMatch(/^[A-Za-z0-9_-]{1,512}$/);
  });

  it.each<[string, Scope, string]>([
    ["another merchant", { ...SCOPE, merchantId: "mer_01h455vb4pex5vsknk084sn02r" }, ROUTE],
    ["the other environment", { ...SCOPE, environment: "live" }, ROUTE],
    ["another list", SCOPE, "/payment_intents"],
  ])("of %s is rejected", (_whose, scope, route) => {
    expect(() => decodeCursor(scope, route, cursor())).toThrow(REFUSED);
    expect(() => decodeCursor(SCOPE, ROUTE, encodeCursor(scope, route, POSITION))).toThrow(REFUSED);
  });

  it("with any single bit changed is rejected", () => {
    const whole = Buffer.from(cursor());
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const changed = Buffer.from(whole);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decodeCursor(SCOPE, ROUTE, changed.toString("latin1"))).toThrow(REFUSED);
    }
  });

  it("with any bit of its content changed is rejected", () => {
    const whole = Buffer.from(cursor(), "base64url");
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const changed = Buffer.from(whole);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decodeCursor(SCOPE, ROUTE, changed.toString("base64url"))).toThrow(REFUSED);
    }
  });

  it.each([
    ["cut", (text: string) => text.slice(0, -1)],
    ["longer", (text: string) => `${text}A`],
    ["padded", (text: string) => `${text}=`],
    ["with a space", (text: string) => `${text} `],
    [
      "with a further part",
      (text: string) => Buffer.from(`${Buffer.from(text, "base64url").toString()}.x`).toString("base64url"),
    ],
    ["without its proof", () => Buffer.from(`${POSITION.createdAt.getTime()}.${POSITION.id}`).toString("base64url")],
    ["with an empty proof", () => Buffer.from(`${POSITION.createdAt.getTime()}.${POSITION.id}.`).toString("base64url")],
    ["a bare number", () => "25"],
    ["an id", () => POSITION.id],
  ])("%s is rejected", (_how, change) => {
    const changed = change(cursor());
    expect(changed).not.toBe(cursor());
    expect(() => decodeCursor(SCOPE, ROUTE, changed)).toThrow(REFUSED);
  });
});

describe("when the secrets rotate", () => {
  it("a cursor issued before is still valid, and so are new ones", () => {
    const before = cursor();
    useSecrets(NEW, OLD);
    expect(decodeCursor(SCOPE, ROUTE, before)).toEqual(POSITION);
    expect(cursor()).not.toBe(before);
    expect(decodeCursor(SCOPE, ROUTE, cursor())).toEqual(POSITION);
  });

  it("a cursor of a removed secret is rejected", () => {
    const before = cursor();
    useSecrets(NEW);
    expect(() => decodeCursor(SCOPE, ROUTE, before)).toThrow(REFUSED);
  });
});
