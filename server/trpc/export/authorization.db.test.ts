// Tests access control of exports: every file × every role × environment × own and other merchant.
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sealToken, sessionSecret } from "@/server/auth/session-token";
import { disconnect } from "@/server/db/client";
import { ROLES, type Role } from "@/server/domain/permissions";
import { ENVIRONMENTS, type Environment } from "@/server/domain/scope";
import { declareFront } from "@/server/http/client-address";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { reconcile } from "@/server/services/reconciliation/reconcile";
import { simulate } from "@/server/services/sandbox/simulate";
import { enterAs } from "@/server/services/sign-in/testing/sessions";
import { createTopupIntent } from "@/server/services/topups/create";
import { makeMember, makeMerchant, payment, payout, type TestMerchant, topup } from "@/server/testing/merchant";
import { exportAnswer } from "./answer";
import { type ExportKind, SOURCES } from "./sources";

interface Row {
  readonly roles: readonly Role[];
  readonly query?: () => string;
  /** What allowed roles get in live; 200 if omitted. */
  readonly inLive?: 404;
}

const READERS: readonly Role[] = ["owner", "admin", "approver", "finance"];

/** One row per file. A file without a row fails the test below. */
const MATRIX: Readonly<Record<ExportKind, Row>> = {
  payouts: { roles: READERS },
  payments: { roles: READERS },
  topups: { roles: READERS },
  statement: { roles: READERS, query: () => "?currency=BRL&account=available" },
  "statement-camt053": { roles: READERS, query: () => "?currency=BRL&account=available" },
  "statement-pdf": { roles: READERS, query: () => "?currency=BRL&account=available" },
  // The file is of the test environment.
  "settlement-file": { roles: ["owner", "admin", "finance"], query: () => `?id=${settlementFile}`, inLive: 404 },
  audit: { roles: ["owner", "admin", "finance"] },
};
const KINDS = Object.keys(MATRIX) as ExportKind[];

let settlementFile = "";
let [own, other]: TestMerchant[] = [];
/** What no file for the member may contain: ids and references of the other merchant, and of the test environment in files of live. */
let [mine, theirs]: string[][] = [];
const cookies = new Map<Role, string>();

beforeAll(async () => {
  declareFront();
  [own, other] = [await makeMerchant(), await makeMerchant()];
  [mine, theirs] = [await makeObjects(own), await makeObjects(other)];
  settlementFile = await importSettlement(mine[0] ?? "", theirs[0] ?? "");
});
beforeEach(async () => {
  for (const role of ROLES) cookies.set(role, await cookieOf(role));
});
afterAll(disconnect);

async function makeObjects({ context }: TestMerchant): Promise<string[]> {
  const [bought, paidOut] = [crypto.randomUUID().slice(0, 8), crypto.randomUUID().slice(0, 8)];
  const asked = payment({ merchantReference: bought });
  const collected = (await createPaymentIntent(context, asked, withoutIdempotency())).intent;
  await simulate(context, collected.id, "succeeded");
  const sent = (await createPayoutIntent(context, payout({ merchantReference: paidOut }), withoutIdempotency())).intent;
  const funded = (await createTopupIntent(context, topup(), withoutIdempotency())).intent;
  return [collected.id, sent.id, funded.id, bought, paidOut];
}

/** A settlement file with a line of each payment; gives its id. */
async function importSettlement(...payments: readonly string[]): Promise<string> {
  const line = (reference: string) => `${reference},payment,${reference},px,1050,BRL,7,2020-01-01T00:00:00Z`;
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
  const bytes = new TextEncoder().encode([header, ...payments.map(line), ""].join("\n"));
  const bounds = { from: new Date("2020-01-01T00:00:00Z"), to: new Date("2020-01-02T00:00:00Z") };
  return (await reconcile({ provider: "sandbox", environment: "test", name: "a.csv", bytes, ...bounds })).file.id;
}

async function cookieOf(role: Role): Promise<string> {
  const merchantId = own?.merchantId ?? "";
  const memberId = await makeMember(merchantId, `${role}-${crypto.randomUUID()}@shop.example`, role);
  const sid = await enterAs({ id: memberId, merchantId }, "192.0.2.1");
  const token = await sealToken({ token: { sub: memberId, merchantId, sid }, secret: sessionSecret() });
  return `sluice.session=${token}`;
}

function request(kind: ExportKind, environment: Environment, cookie?: string): Promise<Response> {
  const address = `http://localhost/api/export/${environment}/${kind}${MATRIX[kind].query?.() ?? ""}`;
  const headers = { "x-forwarded-for": "192.0.2.1", ...(cookie && { cookie }) };
  return exportAnswer(new Request(address, { headers }), environment, kind);
}

const isMissing = spawnSync("pdftotext", ["-v"]).error !== undefined;

/** What people read in the file. */
async function textOf(kind: ExportKind, answer: Response): Promise<string> {
  if (kind !== "statement-pdf") return answer.text();
  return spawnSync("pdftotext", ["-", "-"], { input: Buffer.from(await answer.arrayBuffer()), encoding: "utf8" })
    .stdout;
}

it("every file has a row", () => expect(KINDS.sort()).toEqual(Object.keys(SOURCES).sort()));

describe.each(KINDS)("%s", (kind) => {
  it.each(ENVIRONMENTS)("in %s, depends on the role, and visitors get nothing", async (environment) => {
    const rejected = await request(kind, environment);
    expect([rejected.status, await rejected.json()]).toMatchObject([401, { error: { code: "unauthorized" } }]);
    for (const role of ROLES) {
      const answer = await request(kind, environment, cookies.get(role));
      const { roles, inLive } = MATRIX[kind];
      const isAllowed = roles.includes(role);
      const found = environment === "live" ? (inLive ?? 200) : 200;
      expect([role, answer.status]).toEqual([role, isAllowed ? found : 403]);
      expect((await answer.text()).startsWith("Only a member who is")).toBe(!isAllowed);
    }
  });

  it("contains the merchant's rows of the environment and no others", async ({ skip }) => {
    skip(kind === "statement-pdf" && isMissing, "skipped: needs poppler-utils");
    const text = await textOf(kind, await request(kind, "test", cookies.get("owner")));
    expect(mine?.some((id) => text.includes(id))).toBe(true);
    expect(theirs?.filter((id) => text.includes(id))).toEqual([]);
    const live = await textOf(kind, await request(kind, "live", cookies.get("owner")));
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
