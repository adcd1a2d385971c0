// Tests access control of exports: every file × every role × environment × own and other merchant.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sealToken, sessionSecret } from "@/server/auth/session-token";
import { disconnect } from "@/server/db/client";
import { ROLES, type Role } from "@/server/domain/permissions";
import { ENVIRONMENTS, type Environment } from "@/server/domain/scope";
import { declareFront } from "@/server/http/client-address";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { simulate } from "@/server/services/sandbox/simulate";
import { enterAs } from "@/server/services/sign-in/testing/sessions";
import { createTopupIntent } from "@/server/services/topups/create";
import { makeMember, makeMerchant, payment, payout, type TestMerchant, topup } from "@/server/testing/merchant";
import { exportAnswer } from "./answer";
import { type ExportKind, SOURCES } from "./sources";

interface Row {
  readonly roles: readonly Role[];
  readonly query?: string;
}

const READERS: readonly Role[] = ["owner", "admin", "approver", "finance"];

/** One row per file. A file without a row fails the test below. */
const MATRIX: Readonly<Record<ExportKind, Row>> = {
  payouts: { roles: READERS },
  payments: { roles: READERS },
  topups: { roles: READERS },
  statement: { roles: READERS, query: "?currency=BRL&account=available" },
  audit: { roles: ["owner", "admin", "finance"] },
};
const KINDS = Object.keys(MATRIX) as ExportKind[];

let [own, other]: TestMerchant[] = [];
/** What no file for the member may contain: ids of the other merchant, and of the test environment in files of live. */
let [mine, theirs]: string[][] = [];
const cookies = new Map<Role, string>();

beforeAll(async () => {
  declareFront();
  [own, other] = [await makeMerchant(), await makeMerchant()];
  [mine, theirs] = [await makeObjects(own), await makeObjects(other)];
});
beforeEach(async () => {
  for (const role of ROLES) cookies.set(role, await cookieOf(role));
});
afterAll(disconnect);

async function makeObjects({ context }: TestMerchant): Promise<string[]> {
  const collected = (await createPaymentIntent(context, payment(), withoutIdempotency())).intent;
  await simulate(context, collected.id, "succeeded");
  const sent = (await createPayoutIntent(context, payout(), withoutIdempotency())).intent;
  const funded = (await createTopupIntent(context, topup(), withoutIdempotency())).intent;
  return [collected.id, sent.id, funded.id];
}

async function cookieOf(role: Role): Promise<string> {
  const merchantId = own?.merchantId ?? "";
  const memberId = await makeMember(merchantId, `${role}-${crypto.randomUUID()}@shop.example`, role);
  const sid = await enterAs({ id: memberId, merchantId }, "192.0.2.1");
  const token = await sealToken({ token: { sub: memberId, merchantId, sid }, secret: sessionSecret() });
  return `sluice.session=${token}`;
}

function request(kind: ExportKind, environment: Environment, cookie?: string): Promise<Response> {
  const address = `http://localhost/api/export/${environment}/${kind}${MATRIX[kind].query ?? ""}`;
  const headers = { "x-forwarded-for": "192.0.2.1", ...(cookie && { cookie }) };
  return exportAnswer(new Request(address, { headers }), environment, kind);
}

it("every file has a row", () => expect(KINDS.sort()).toEqual(Object.keys(SOURCES).sort()));

describe.each(KINDS)("%s", (kind) => {
  it.each(ENVIRONMENTS)("in %s, depends on the role, and visitors get nothing", async (environment) => {
    const rejected = await request(kind, environment);
    expect([rejected.status, await rejected.json()]).toMatchObject([401, { error: { code: "unauthorized" } }]);
    for (const role of ROLES) {
      const answer = await request(kind, environment, cookies.get(role));
      const isAllowed = MATRIX[kind].roles.includes(role);
      expect([role, answer.status]).toEqual([role, isAllowed ? 200 : 403]);
      expect((await answer.text()).startsWith("Only a member who is")).toBe(!isAllowed);
    }
  });

  it("contains the merchant's rows of the environment and no others", async () => {
    const text = await (await request(kind, "test", cookies.get("owner"))).text();
    expect(mine?.some((id) => text.includes(id))).toBe(true);
    expect(theirs?.filter((id) => text.includes(id))).toEqual([]);
    const live = await (await request(kind, "live", cookies.get("owner"))).text();
    expect([...(mine ?? []), ...(theirs ?? [])].filter((id) => live.includes(id))).toEqual([]);
  });
});

it("a session of another merchant's member does not open a file, whatever its token says", async () => {
  if (!own || !other) throw new Error("there are no merchants");
  const id = await makeMember(own.merchantId, "somebody@shop.example", "owner");
  const sid = await enterAs({ id, merchantId: own.merchantId }, "192.0.2.1");
  const claims = { sub: id, merchantId: other.merchantId, sid };
  const token = await sealToken({ token: claims, secret: sessionSecret() });
  expect((await request("payouts", "test", `sluice.session=${token}`)).status).toBe(401);
});
