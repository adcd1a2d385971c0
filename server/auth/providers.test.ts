// Signing in with a password or a passkey: what reaches the service, and what a failure tells the browser.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CodeRequired } from "@/server/domain/errors";
import { rememberDevice } from "@/server/services/sign-in/known-device";
import { openSession } from "@/server/services/sign-in/sessions";
import { signIn } from "@/server/services/sign-in/sign-in";
import { signInByPasskey } from "@/server/services/sign-in/sign-in-by-passkey";
import { setCookie } from "./cookies";
import { deviceCookie } from "./device-cookie";
import { untilNextStep } from "./failure-time";
import { passkeyProvider } from "./passkey-provider";
import { passwordProvider } from "./password-provider";
import { applySettings, browser } from "./testing/settings";
import { newVisit } from "./visit";

vi.mock("@/server/services/sign-in/known-device");
vi.mock("@/server/services/sign-in/sessions");
vi.mock("@/server/services/sign-in/sign-in");
vi.mock("@/server/services/sign-in/sign-in-by-passkey");
vi.mock("./failure-time");

const DEVICE = { id: "9f0c", memberId: "mem_1", passwordTag: "ab12" };
const MEMBER = { id: "mem_1", merchantId: "mer_1", email: "ana@shop.example", accessVersion: 3 };
const OPENED = { id: "mem_1", merchantId: "mer_1", sessionId: "ses_1" };

beforeEach(() => {
  vi.resetAllMocks();
  applySettings();
  vi.mocked(openSession).mockResolvedValue("ses_1");
  vi.mocked(rememberDevice).mockResolvedValue(DEVICE);
  vi.mocked(signIn).mockResolvedValue(MEMBER as never);
  vi.mocked(signInByPasskey).mockResolvedValue(MEMBER as never);
});

type Authorize = (given: Record<string, unknown> | undefined) => Promise<unknown>;

describe("a password", () => {
  const given = { email: "ana@shop.example", password: "correct horse", code: "123456" };
  const enterWith = (credentials: Record<string, unknown> | undefined, visit = newVisit(browser())) =>
    (passwordProvider(visit).options as unknown as { authorize: Authorize }).authorize(credentials);

  it("opens a session for the browser at its address, and remembers the browser", async () => {
    const visit = newVisit(browser());
    expect(await enterWith(given, visit)).toEqual(OPENED);
    expect(signIn).toHaveBeenCalledExactlyOnceWith({ ...given, address: "192.0.2.1", device: null });
    expect(openSession).toHaveBeenCalledExactlyOnceWith(MEMBER, "192.0.2.1", "Firefox", "password");
    expect(rememberDevice).toHaveBeenCalledExactlyOnceWith(MEMBER, null);
    expect(visit.device).toEqual(DEVICE);
    expect(untilNextStep).not.toHaveBeenCalled();
  });

  it("is tried on the device that the browser's cookie says", async () => {
    const cookie = (await deviceCookie(DEVICE)).split(";")[0] ?? "";
    await enterWith(given, newVisit(browser({ cookie })));
    expect(signIn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ device: DEVICE }));
    expect(rememberDevice).toHaveBeenCalledExactlyOnceWith(MEMBER, DEVICE);
  });

  it("of a client without a name opens a session too", async () => {
    const headers = browser();
    headers.delete("user-agent");
    await enterWith(given, newVisit(headers));
    expect(openSession).toHaveBeenCalledExactlyOnceWith(MEMBER, "192.0.2.1", "", "password");
  });

  it("that is wrong is answered at a step of time, and opens nothing", async () => {
    vi.mocked(signIn).mockResolvedValue(null);
    const before = performance.now();
    expect(await enterWith(given)).toBeNull();
    expect(openSession).not.toHaveBeenCalled();
    const [startedAt] = vi.mocked(untilNextStep).mock.calls[0] ?? [];
    expect(startedAt).toBeGreaterThanOrEqual(before);
  });

  it.each([
    ["nothing", undefined],
    ["no address", { password: "p" }],
    ["no password", { email: "ana@shop.example" }],
    ["an address that is no text", { email: ["ana@shop.example"], password: "p" }],
    ["a password that is no text", { email: "ana@shop.example", password: { length: 1 } }],
  ])("that comes with %s is not tried", async (_what, credentials) => {
    expect(await enterWith(credentials)).toBeNull();
    expect(signIn).not.toHaveBeenCalled();
  });

  it("does not open a session for a member whose access has changed meanwhile", async () => {
    vi.mocked(openSession).mockResolvedValue(null);
    const visit = newVisit(browser());
    expect(await enterWith(given, visit)).toBeNull();
    expect(rememberDevice).not.toHaveBeenCalled();
    expect(visit.device).toBeNull();
  });

  it.each([
    ["asks for a code", new CodeRequired(), "", "CodeRequired"],
    ["says that the code is wrong", new CodeRequired(), "123456", "CodeRefused"],
    ["says no more than that it failed", new Error("password authentication failed for 10.0.0.5"), "", "Unavailable"],
  ])("%s", async (_what, error, code, message) => {
    vi.mocked(signIn).mockRejectedValue(error);
    await expect(enterWith({ ...given, code })).rejects.toThrow(new Error(message));
  });

  it("is asked for by a form with the three fields", () => {
    expect(passwordProvider(newVisit(browser())).options).toMatchObject({
      credentials: { email: { type: "email" }, password: { type: "password" }, code: { type: "text" } },
    });
  });
});

describe("a passkey", () => {
  const assertion = {
    id: "aa",
    rawId: "aa",
    type: "public-key",
    response: { clientDataJSON: "bb", authenticatorData: "cc", signature: "dd" },
  };
  const enterWith = (given: Record<string, unknown> | undefined, visit = newVisit(browser())) =>
    (passkeyProvider(visit).options as unknown as { authorize: Authorize }).authorize(given);
  const signed = { assertion: JSON.stringify(assertion) };

  it("signs in the browser that the challenge was made for, by its cookie", async () => {
    const life = { maxAgeSeconds: 60, sameSite: "Strict" } as const;
    const cookie = setCookie("passkey", "binding", life).split(";")[0] ?? "";
    const visit = newVisit(browser({ cookie }));
    expect(await enterWith(signed, visit)).toEqual(OPENED);
    expect(signInByPasskey).toHaveBeenCalledExactlyOnceWith({
      assertion: expect.objectContaining({ id: "aa", response: assertion.response }),
      binding: "binding",
      address: "192.0.2.1",
      device: null,
    });
    expect(openSession).toHaveBeenCalledExactlyOnceWith(MEMBER, "192.0.2.1", "Firefox", "passkey");
    expect(visit.device).toEqual(DEVICE);
  });

  it("without the cookie has no binding", async () => {
    await enterWith(signed);
    expect(signInByPasskey).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ binding: null }));
  });

  it.each([
    ["nothing", undefined],
    ["no text", { assertion }],
    ["no JSON", { assertion: "{" }],
    ["JSON null", { assertion: "null" }],
    ["another object", { assertion: '{"id":"aa"}' }],
  ])("of %s is not tried", async (_what, given) => {
    expect(await enterWith(given)).toBeNull();
    expect(signInByPasskey).not.toHaveBeenCalled();
  });

  it("that belongs to nobody opens nothing", async () => {
    vi.mocked(signInByPasskey).mockResolvedValue(null);
    expect(await enterWith(signed)).toBeNull();
    expect(openSession).not.toHaveBeenCalled();
  });

  it("that fails on our side says no more than that", async () => {
    vi.mocked(signInByPasskey).mockRejectedValue(new Error("no connection to 10.0.0.5"));
    await expect(enterWith(signed)).rejects.toThrow(new Error("Unavailable"));
  });

  it("is a provider of its own name", () => {
    const { options } = passkeyProvider(newVisit(browser())) as { options?: { id?: string } };
    expect(options).toMatchObject({ id: "passkey", credentials: { assertion: { type: "text" } } });
  });
});
