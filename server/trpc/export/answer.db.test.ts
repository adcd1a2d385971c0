// Exports are bounded per session, and end with the session or the authority that began them.
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { sealToken, sessionSecret } from "@/server/auth/session-token";
import { disconnect, query } from "@/server/db/client";
import { declareFront } from "@/server/http/client-address";
import { enterAs } from "@/server/services/sign-in/testing/sessions";
import { makeMember, makeMerchant } from "@/server/testing/merchant";
import { exportAnswer } from "./answer";
import * as sources from "./sources";

const ADDRESS = "192.0.2.1";

let merchantId: string;
let memberId: string;
let sessionId: string;
let cookie: string;
beforeAll(declareFront);
beforeEach(async () => {
  ({ merchantId } = await makeMerchant());
  memberId = await makeMember(merchantId, `${merchantId}@shop.example`, "finance");
  await signIn();
});
afterAll(disconnect);

async function signIn(): Promise<void> {
  sessionId = await enterAs({ id: memberId, merchantId }, ADDRESS);
  const token = await sealToken({ token: { sub: memberId, merchantId, sid: sessionId }, secret: sessionSecret() });
  cookie = `sluice.session=${token}`;
}

function begin(): Promise<Response> {
  const request = new Request("http://localhost/api/export/test/payouts", {
    headers: { cookie, "x-forwarded-for": ADDRESS },
  });
  return exportAnswer(request, "test", "payouts");
}

/** Makes the list of payouts as long as the test reads, one row a page. */
function withEndlessPages() {
  let pages = 0;
  const page = async () => ({
    lines: { columns: ["id"], rows: [[String((pages += 1))]] },
    next: { createdAt: new Date(), id: String(pages) },
  });
  return vi.spyOn(sources.SOURCES, "payouts").mockReturnValue(page);
}

/** Reads until the export ends; returns why. */
async function endOf(answer: Response, meanwhile: () => Promise<unknown>): Promise<string> {
  const reader = answer.body?.getReader();
  await reader?.read();
  await meanwhile();
  try {
    for (let n = 0; n < 20; n += 1) await reader?.read();
    return "went on";
  } catch (error) {
    return (error as Error).message;
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

it("a session has two exports at once; an export that ends or is left makes room", async () => {
  const payouts = withEndlessPages();
  const [first, second] = [await begin(), await begin()];
  expect([first.status, second.status]).toEqual([200, 200]);
  const third = await begin();
  expect([third.status, await third.json()]).toMatchObject([429, { error: { code: "rate_limited" } }]);
  await first.body?.cancel();
  const fourth = await begin();
  expect(fourth.status).toBe(200);
  await signIn();
  const ofAnotherSession = await begin();
  expect(ofAnotherSession.status).toBe(200);
  for (const { body } of [second, fourth, ofAnotherSession]) await body?.cancel();
  payouts.mockRestore();
});

it("an export that fails before its first row leaves its place", async () => {
  for (let n = 0; n < 3; n += 1) {
    const payouts = vi.spyOn(sources.SOURCES, "payouts").mockReturnValue(() => Promise.reject(new Error("broken")));
    expect((await begin()).status).toBe(500);
    payouts.mockRestore();
  }
  const answer = await begin();
  expect(answer.status).toBe(200);
  await answer.text();
});

it("an export ends when its session is ended, and when its member loses the role", async () => {
  const payouts = withEndlessPages();
  const ended = await endOf(await begin(), () =>
    query("UPDATE member_session SET revoked_at = now() WHERE merchant_id = $1 AND id = $2", merchantId, sessionId),
  );
  expect(ended).toMatch(/signed out/);
  await signIn();
  const denied = await endOf(await begin(), () =>
    query("UPDATE member SET roles = '{developer}' WHERE merchant_id = $1 AND id = $2", merchantId, memberId),
  );
  expect(denied).not.toBe("went on");
  const ends = await query<{ after: object }>(
    "SELECT after FROM audit_entry WHERE merchant_id = $1 AND action = 'export.end' ORDER BY id",
    merchantId,
  );
  expect(ends.map(({ after }) => after)).toMatchObject([{ complete: false }, { complete: false }]);
  payouts.mockRestore();
});
