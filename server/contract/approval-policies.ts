// The wire form of approval policies, in the command line's file and the dashboard's requests.
import { z } from "zod";
import { MAXIMUM_APPROVALS, MAXIMUM_RULES } from "@/server/domain/approval-policy";
import { amount, country, currency } from "./fields";

const approvals = z
  .int({ error: `must be a whole number from 0 to ${MAXIMUM_APPROVALS}` })
  .min(0, { error: `must be at least 0` })
  .max(MAXIMUM_APPROVALS, { error: `must be at most ${MAXIMUM_APPROVALS}` });

/** A misspelled member would be a condition without effect, so unknown members are rejected. */
const strict: z.core.$ZodErrorMap = (issue) =>
  issue.code === "unrecognized_keys" ? `cannot have the member ${issue.keys.join(", ")}` : "must be an object";

const rule = z.strictObject(
  {
    currency: currency.optional(),
    country: country.optional(),
    amount_at_least: amount.optional(),
    daily_total_at_least: amount.optional(),
    first_time_recipient: z.literal(true, { error: "must be true if present" }).optional(),
    approvals,
  },
  { error: strict },
);

export const approvalPolicyBody = z.strictObject(
  {
    default_approvals: approvals,
    rules: z
      .array(rule, { error: "must be a list" })
      .max(MAXIMUM_RULES, { error: `must have at most ${MAXIMUM_RULES} rules` }),
  },
  { error: strict },
);
