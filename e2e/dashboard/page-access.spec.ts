// Access to pages: every page of the dashboard × visitors and every role × environment × own and other merchant.
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import type { APIRequestContext } from "@playwright/test";
import { createMerchant, type Merchant } from "../support/merchant";
import { command } from "../support/operator";
import { expect, test } from "./fixtures";
import { createMember, requestSession } from "./members";
import { type FilledIds, fillPages } from "./pages";
import { createBatch } from "./recipients";
import { createPaid, importSettlementFile } from "./settlement-files";

const ENVIRONMENTS = ["test", "live"];
const ROLES = ["owner", "admin", "approver", "finance", "developer"] as const;
type Role = (typeof ROLES)[number];

interface Ids extends FilledIds {
  readonly settlementFile: string;
  /** Of payouts from a file. */
  readonly batch: string;
}

interface Row {
  readonly roles: readonly Role[];
  /** True if it shows what both environments share, so that roles of the test environment do not open it. */
  readonly isShared?: true;
  /** The object that the page shows, which exists in test only. */
  readonly about?: keyof Ids;
}

const EVERYONE = ROLES;
const ADMINS: readonly Role[] = ["owner", "admin"];
const BOOKKEEPERS: readonly Role[] = ["owner", "admin", "finance"];
const INTEGRATORS: readonly Role[] = ["owner", "admin", "developer"];
const READERS: readonly Role[] = ["owner", "admin", "approver", "finance"];

/** One row per page, by its path below the environment. A page without a row fails the test below. */
const PAGES: Readonly<Record<string, Row>> = {
  "": { roles: EVERYONE },
  account: { roles: EVERYONE },
  audit: { roles: BOOKKEEPERS, isShared: true },
  "developers/keys": { roles: INTEGRATORS },
  "developers/logs": { roles: INTEGRATORS },
  "developers/logs/[id]": { roles: INTEGRATORS, about: "refusedRequest" },
  exceptions: { roles: BOOKKEEPERS },
  members: { roles: ADMINS, isShared: true },
  notifications: { roles: EVERYONE },
  payments: { roles: EVERYONE },
  "payments/[id]": { roles: EVERYONE, about: "payment" },
  payouts: { roles: EVERYONE },
  "payouts/[id]": { roles: EVERYONE, about: "payout" },
  "payouts/batches/[id]": { roles: EVERYONE, about: "batch" },
  "payouts/recipients": { roles: EVERYONE },
  "payouts/upload": { roles: BOOKKEEPERS },
  policies: { roles: READERS },
  providers: { roles: ["owner", "admin", "finance", "developer"] },
  reconciliation: { roles: BOOKKEEPERS },
  "reconciliation/[id]": { roles: BOOKKEEPERS, about: "settlementFile" },
  "reconciliation/upload": { roles: BOOKKEEPERS },
  settings: { roles: EVERYONE },
  topups: { roles: EVERYONE },
  "topups/[id]": { roles: EVERYONE, about: "topup" },
  wallet: { roles: READERS },
  webhooks: { roles: EVERYONE },
  "webhooks/endpoints": { roles: INTEGRATORS },
  "webhooks/endpoints/[id]": { roles: INTEGRATORS, about: "endpoint" },
  "webhooks/events": { roles: INTEGRATORS },
  "webhooks/events/[id]": { roles: INTEGRATORS, about: "event" },
};

interface Subject {
  readonly name: string;
  readonly inLive: Role;
  readonly inTest: Role;
}

const SUBJECTS: readonly Subject[] = [
  ...ROLES.map((role) => ({ name: role, inLive: role, inTest: role })),
  { name: "a developer who is an owner of test", inLive: "developer", inTest: "owner" },
];

test("every page has a row", () => {
  const root = "app/(dashboard)/[environment]";
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(^|\/)page\.tsx$/.test(file),
  );
  expect(files.map((file) => file.replace(/\/?page\.tsx$/, "")).sort()).toEqual(Object.keys(PAGES).sort());
  const all = readdirSync("app/(dashboard)", { recursive: true, encoding: "utf8" });
  const pages = all.filter((file) => basename(file) === "page.tsx");
  expect(pages.every((file) => file.startsWith("[environment]/"))).toBe(true);
});

/** The status of a page and the place that it redirects to. */
async function open(request: APIRequestContext, environment: string, path: string, ids: Ids) {
  const { about } = PAGES[path] as Row;
  const own = about ? path.replace("[id]", ids[about]) : path;
  const answer = await request.get(`/${environment}/${own}`.replace(/\/$/, ""), { maxRedirects: 0 });
  return { status: answer.status(), to: answer.headers()["location"] ?? null, text: await answer.text() };
}

test("pages open for the roles of their row, and show nothing of another merchant or environment", async ({
  playwright,
  service,
  ownMerchant,
  ownApi,
  apiFor,
  newMember,
}) => {
  test.setTimeout(300_000);
  const other = await createMerchant(service);
  const browser = () => playwright.request.newContext({ baseURL: service.baseUrl });
  const filled = async (api: typeof ownApi, merchant: Merchant): Promise<Ids> => {
    const settlementFile = await importSettlementFile(service, { [await createPaid(api)]: "1050" });
    const request = await browser();
    await requestSession(request, await createMember(service, merchant, "finance"));
    const batch = await createBatch(request);
    await request.dispose();
    return { ...(await fillPages(api)), settlementFile, batch };
  };
  const mine = await filled(ownApi, ownMerchant);
  const theirs = await filled(apiFor(other.keys.test), other);

  const visitor = await browser();
  for (const path of Object.keys(PAGES)) {
    for (const environment of ENVIRONMENTS) {
      const answer = await open(visitor, environment, path, mine);
      expect([path, answer.status, answer.to]).toEqual([path, 307, expect.stringMatching(/^\/sign-in\?next=/)]);
    }
  }
  for (const { name, inLive, inTest } of SUBJECTS) {
    const request = await browser();
    const person = await newMember(inLive);
    if (inTest !== inLive) {
      const member = ["--merchant", ownMerchant.id, "--email", person.email];
      await command(service, "members", "set-test-roles", ...member, "--roles", inTest);
    }
    expect((await requestSession(request, person)).ok()).toBe(true);
    for (const [path, { roles, about, isShared }] of Object.entries(PAGES)) {
      const own = await open(request, "test", path, mine);
      const live = await open(request, "live", path, mine);
      const foreign = await open(request, "test", path, theirs);
      expect([name, path, own.status]).toEqual([name, path, roles.includes(isShared ? inLive : inTest) ? 200 : 404]);
      expect([name, path, live.status]).toEqual([name, path, roles.includes(inLive) && !about ? 200 : 404]);
      if (about) expect([name, path, foreign.status]).toEqual([name, path, 404]);
      const { refusedRequest: _, ...hidden } = theirs;
      expect(about ? [] : Object.values(hidden).filter((id) => own.text.includes(id))).toEqual([]);
    }
    await request.dispose();
  }
  await visitor.dispose();
});
