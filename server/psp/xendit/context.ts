// What the calls about payments and payouts share.
import type { Unknown } from "@/server/domain/outcome";
import { type AccountGuard, forOperator } from "../account-guard";
import type { XenditClient } from "./client";
import type { XenditPayment, XenditPayout } from "./objects";

export interface XenditContext {
  readonly client: XenditClient;
  readonly guard: AccountGuard;
  readonly payerName: string | null;
  /** True when payers may be redirected to plain http, as in development. */
  readonly allowHttp: boolean;
}

export const OTHER_SUM = "Xendit reports a sum that our minor units cannot express";

/** Returns why an object of Xendit is not believed, or null. */
export function objectionTo(
  { guard }: XenditContext,
  reference: string,
  object: Pick<XenditPayment | XenditPayout, "reference_id" | "business_id">,
): Unknown | null {
  if (object.reference_id !== reference) return { kind: "unknown", detail: "an object with another reference" };
  return guard.note(object.business_id) === "same" ? null : forOperator("the object belongs to another account");
}
