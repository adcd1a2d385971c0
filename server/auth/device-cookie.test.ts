// The device cookie: only what the service encrypted as a device is one.
import { randomBytes } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { type Env, loadEnv } from "@/server/platform/env";
import { createKeyRing, type KeyRing } from "@/server/platform/key-ring";
import { deviceCookie, readDevice } from "./device-cookie";
import { openToken, sealToken, sessionSecret } from "./session-token";

const shared = globalThis as typeof globalThis & { sluiceKeyRing?: KeyRing; sluiceEnv?: Env };
const DEVICE = { id: "9f0c", memberId: "mem_1", passwordTag: "ab12" };

beforeEach(() => {
  shared.sluiceKeyRing = createKeyRing([randomBytes(32)]);
  shared.sluiceEnv = loadEnv({ BASE_URL: "http://localhost:3000" });
});

const headersOf = (value: string) => new Headers({ cookie: `a=b; sluice.device=${value}; c=d` });

it("returns what it encrypted, which is no session", async () => {
  const header = await deviceCookie(DEVICE);
  expect(header).toMatch(/^sluice\.device=[^;]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/);
  const value = /=([^;]+)/.exec(header)?.[1] ?? "";
  expect(await readDevice(headersOf(value))).toEqual(DEVICE);
  expect(await openToken({ token: value })).toBeNull();
});

it("is bound to the host over https", async () => {
  shared.sluiceEnv = loadEnv({ BASE_URL: "https://pay.example" });
  expect(await deviceCookie(DEVICE)).toMatch(/^__Host-sluice\.device=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
});

it.each(["sub", "deviceId", "passwordTag"])("is none without %s, although the service encrypted it", async (name) => {
  const token = { sub: "mem_1", deviceId: "9f0c", passwordTag: "ab12", [name]: "" };
  const value = await sealToken({ token, salt: "device", maxAge: 60, secret: sessionSecret() });
  expect(await readDevice(headersOf(value))).toBeNull();
});

it("accepts neither a session's token nor a forged one", async () => {
  const token = { sub: "mem_1", deviceId: "9f0c", passwordTag: "ab12" };
  const session = await sealToken({ token, secret: sessionSecret() });
  for (const value of [session, "", "x.y.z"]) expect(await readDevice(headersOf(value))).toBeNull();
  const value = /=([^;]+)/.exec(await deviceCookie(DEVICE))?.[1] ?? "";
  shared.sluiceKeyRing = createKeyRing([randomBytes(32)]);
  expect(await readDevice(headersOf(value))).toBeNull();
  expect(await readDevice(new Headers())).toBeNull();
});
