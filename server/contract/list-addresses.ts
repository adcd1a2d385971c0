// Query parameters of the dashboard's intent lists: the REST filters and some of its own.
import { z } from "zod";
import { LIST_SORTS } from "@/server/domain/list-order";
import { listPaymentIntentsQuery, listPayoutIntentsQuery, listTopupIntentsQuery } from "./lists";

/** The order of a list; REST has no such parameter. */
export const sortParameter = {
  sort: z.enum(LIST_SORTS, { error: `must be one of ${LIST_SORTS.join(", ")}` }).optional(),
};

const minorUnits = z
  .string()
  .regex(/^\d{1,30}$/, { error: "must be minor units: a whole number of at most 30 digits" })
  .optional();

/** A range of amounts, both ends included, in minor units of the `currency` beside it; REST has no such parameters. */
export const amountParameters = { amount_from: minorUnits, amount_to: minorUnits };

const LONGEST_COLUMNS = 500;

const parameters = {
  ...sortParameter,
  ...amountParameters,
  columns: z
    .string()
    .max(LONGEST_COLUMNS, { error: `must have at most ${LONGEST_COLUMNS} characters` })
    .regex(/^[a-z_]+(?:,[a-z_]+)*$/, { error: "must be names of columns, separated by commas" })
    .optional(),
};

/** The position in a list does not identify the list. */
const PLACE = { cursor: true, limit: true } as const;

/** The URL parameters of each list, without the position. */
export const listAddresses = {
  payments: listPaymentIntentsQuery.omit(PLACE).extend(parameters),
  payouts: listPayoutIntentsQuery
    .omit(PLACE)
    .extend({ ...parameters, queue: z.enum(["mine"], { error: "must be mine" }).optional() }),
  topups: listTopupIntentsQuery.omit(PLACE).extend(parameters),
} as const;
