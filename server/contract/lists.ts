// The wire form of lists: query parameters and the page envelope (interface §2.5, §4.4, §4.5).

import { z } from "zod";
import { PAYMENT_STATUSES } from "@/server/domain/payment-transitions";
import { PAYOUT_STATUSES } from "@/server/domain/payout-transitions";
import { SOURCE_TYPES } from "@/server/domain/topup-intent";
import { TOPUP_STATUSES } from "@/server/domain/topup-transitions";
import { country, currency, merchantReference } from "./fields";
import { parseInstant } from "./instants";
import { paymentMethodCode } from "./payment-intents";

export const DEFAULT_LIMIT = 25;
const MAXIMUM_LIMIT = 100;

export const instant = z
  .string()
  .refine((value) => parseInstant(value) !== null, { error: "must be an ISO 8601 time with an offset" })
  .meta({ format: "date-time" });

/** A whole number from 1 to 100 as text; rejects `25.0`, `0` and an empty value. */
export const limit = z
  .string()
  .regex(/^(?:[1-9][0-9]?|100)$/, { error: `must be a whole number from 1 to ${MAXIMUM_LIMIT}` })
  .meta({
    description: "The number of resources of a page.",
    override: { type: "integer", pattern: undefined, minimum: 1, maximum: MAXIMUM_LIMIT, default: DEFAULT_LIMIT },
  });

export const cursor = z
  .string()
  .min(1, { error: "must be the next_cursor of a page" })
  .max(512, { error: "is not a cursor of this list" })
  .meta({
    description: "`next_cursor` of the page before; omit it for the first page. Send the same filters with every page.",
  });

/** Accepts repeated, comma-separated and `status[]=` forms as one list. */
function statuses<const Status extends string>(known: readonly Status[]) {
  return z
    .array(z.enum(known, { error: `must be one or more of ${known.join(", ")}` }))
    .min(1)
    .max(100)
    .meta({ description: "One or more statuses, repeated or separated by commas." });
}

/** Bounds on the time of creation. */
export const createdBounds = {
  created_after: instant.optional().meta({ description: "Created at this time or later; ISO 8601 with an offset." }),
  created_before: instant.optional().meta({ description: "Created before this time; ISO 8601 with an offset." }),
};

const sharedParameters = {
  country: country.optional(),
  ...createdBounds,
  currency: currency.optional(),
  cursor: cursor.optional(),
  merchant_reference: merchantReference.optional().meta({ description: "Your own id of it; compared exactly." }),
  limit: limit.optional(),
};

export const listPaymentIntentsQuery = z.object({
  ...sharedParameters,
  payment_method: paymentMethodCode.optional(),
  status: statuses(PAYMENT_STATUSES).optional(),
});

export const listPayoutIntentsQuery = z.object({ ...sharedParameters, status: statuses(PAYOUT_STATUSES).optional() });

export const listTopupIntentsQuery = z.object({
  ...sharedParameters,
  source_type: z
    .enum(SOURCE_TYPES, { error: `must be one of ${SOURCE_TYPES.join(", ")}` })
    .optional()
    .meta({ description: "How the payer pays." }),
  status: statuses(TOPUP_STATUSES).optional(),
});

/** Returns the page envelope of one kind of resource. */
export function pageOf<Resource extends z.ZodType>(resource: Resource, id: string) {
  return z
    .object({
      data: z.array(resource).meta({ description: "The resources, newest first." }),
      has_more: z.boolean().meta({ description: "True if another page exists." }),
      next_cursor: z.string().nullable().meta({ description: "`cursor` of the next page; null without one." }),
    })
    .meta({ id });
}

export interface Page<Resource> {
  readonly data: readonly Resource[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}
