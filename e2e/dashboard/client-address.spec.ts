// Without trusted proxies a caller's address is its connection's: a made-up one evades no limit and reaches no record.
import { createMerchant } from "../support/merchant";
import { startService } from "../support/service";
import { expect, test } from "./fixtures";
import { createMember, requestSession } from "./members";

const ADDRESS_LIMIT = 50;

test("a made-up X-Forwarded-For evades no limit of sign-ins, and the audit log has the real address", async ({
  playwright,
}) => {
  test.slow();
  const service = await startService({ env: { TRUSTED_PROXIES: "" } });
  const request = await playwright.request.newContext({ baseURL: service.baseUrl });
  const strangers = await playwright.request.newContext({ baseURL: service.baseUrl });
  try {
    const merchant = await createMerchant(service);
    const owner = await createMember(service, merchant, "owner");
    const claim = (n: number) => ({ "x-forwarded-for": `203.0.113.${n}`, "x-real-ip": `203.0.113.${n}` });
    expect((await requestSession(request, owner, claim(1))).status()).toBe(200);
    const input = encodeURIComponent(JSON.stringify({ environment: "test" }));
    const log = await (await request.get(`/api/trpc/audit.list?input=${input}`)).text();
    expect(log).toContain("member.sign_in");
    expect(log).not.toContain("203.0.113.");

    for (let n = 0; n < ADDRESS_LIMIT; n += 1) {
      const stranger = { email: `nobody-${n}@shop.example`, password: "correct horse battery" };
      expect((await requestSession(strangers, stranger, claim(n + 2))).status()).toBe(401);
    }
    // A known browser has its own count; an unknown one shares its address with the strangers.
    expect((await requestSession(strangers, owner, claim(99))).status()).toBe(401);
    expect((await requestSession(request, owner, claim(99))).status()).toBe(200);
  } finally {
    await Promise.all([request.dispose(), strangers.dispose()]);
    await service.stop();
  }
});
