// Tests that only code whose name says so reaches the rows of several merchants, and that each rule detects a breach.
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { joinedReads, narrowReaches, wideReaches } from "./testing/architecture/reaches";
import { leavesItsCell, scopesBesideSessions } from "./testing/architecture/sessions";
import { readTree } from "./testing/architecture/tree";
import { expectVerdicts, planted } from "./testing/architecture/verdicts";

const tree = readTree(fileURLToPath(new URL("..", import.meta.url)));

it("only functions of tables reach several merchants", () => expect(wideReaches(tree)).toEqual([]));

it("work with a wide reach is detected elsewhere", () => {
  expectVerdicts(
    wideReaches,
    [
      planted("server/services/a.ts", "return acrossMerchants(() => find(id));"),
      planted("server/trpc/a.ts", "await queryAcrossMerchants<Row>(SQL);"),
      planted("app/a.ts", "reachEveryMerchant();"),
    ],
    [
      planted("server/db/a.ts", "return queryAcrossMerchants<Row>(SQL);"),
      planted("server/services/a.ts", "return withinMerchant(id, () => find(id));"),
    ],
  );
});

it("every function that says it reaches several merchants does", () => expect(narrowReaches(tree)).toEqual([]));

it("a function that only says so is detected", () => {
  const named = (body: string) => `export async function findAcrossMerchants(id: string) {\n  ${body}\n}\n`;
  expectVerdicts(
    narrowReaches,
    [planted("server/db/a.ts", named("return query(SQL, id);"))],
    [
      planted("server/db/a.ts", named("return queryAcrossMerchants<Row>(SQL, id);")),
      planted("server/db/a.ts", named("return acrossMerchants(() => inTransaction(work));")),
      planted("server/db/a.ts", named("return withinMerchantOrAll(merchantId, () => query(SQL));")),
    ],
  );
});

it("no read of one merchant is joined with another's", () => expect(joinedReads(tree)).toEqual([]));

it("a read that Prisma may join is detected", () => {
  expectVerdicts(
    joinedReads,
    [planted("server/db/a.ts", "await prisma().member.findUnique({ where });")],
    [planted("server/db/a.ts", "await prisma().member.findFirst({ where });")],
  );
});

it("what acts for a signed-in person names the session, and with it the cell", () => {
  expect(scopesBesideSessions(tree)).toEqual([]);
  expectVerdicts(
    scopesBesideSessions,
    [
      planted("server/trpc/a.ts", "return withinMerchant(session.merchantId, () => find(id));"),
      planted("server/auth/a.ts", "return inSharedCell(() => find(id));"),
      planted("app/a/page.tsx", "await inEachCell(work);"),
    ],
    [
      planted("server/trpc/a.ts", "return withinSession(session, () => find(id));"),
      planted("server/http/a.ts", "return withinMerchant(id, () => find(id));"),
    ],
  );
});

it("only what all cells share leaves the cell of its work", () => {
  expect(leavesItsCell(tree)).toEqual([]);
  expectVerdicts(
    leavesItsCell,
    [planted("server/services/payments/a.ts", "return inSharedCell(() => find(id));")],
    [planted("server/services/sign-in/a.ts", "return inSharedCell(() => find(id));")],
  );
});
