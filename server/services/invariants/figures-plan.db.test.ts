// The check of the figures reads each audit entry a few times, however many are not added up yet.
import { expect, it } from "vitest";
import { FIGURE_INVARIANTS } from "@/server/db/invariants/figures";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { linkAuditEntries } from "../audit/link-entries";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";

const PAYMENTS = 40;

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Actual Loops": number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that scans of the audit tables have read, in all their loops. */
function auditRowsRead(node: PlanNode): number {
  const own = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
  const isAudit = /^audit_(?:entry|link|pending)$/.test(node["Relation Name"] ?? "");
  const below = (node.Plans ?? []).reduce((sum, plan) => sum + auditRowsRead(plan), 0);
  return below + (isAudit ? own * node["Actual Loops"] : 0);
}

it("without figures, the check of 40 ended payments reads no entry more than four times", async () => {
  const { context } = await makeMerchant();
  for (let n = 0; n < PAYMENTS; n += 1) {
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "succeeded");
  }
  while ((await linkAuditEntries()).isBehind);
  await queryAsOwner("ANALYZE");
  const [counted] = await queryAsOwner<{ entries: number }>("SELECT count(*)::int AS entries FROM audit_entry");
  const [row] = await queryAsOwner<{ "QUERY PLAN": readonly { readonly Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${FIGURE_INVARIANTS[0]?.sql}`,
  );
  const plan = row?.["QUERY PLAN"][0]?.Plan as PlanNode;
  expect(counted?.entries).toBeGreaterThan(2 * PAYMENTS);
  expect(auditRowsRead(plan)).toBeGreaterThan(PAYMENTS);
  expect(auditRowsRead(plan)).toBeLessThanOrEqual(4 * (counted?.entries ?? 0));
});
