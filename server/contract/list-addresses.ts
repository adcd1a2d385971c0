// Query parameters of the dashboard's intent lists: the REST filters, and those that only the dashboard has.
import { z } from "zod";
import { LIST_SORTS } from "@/server/domain/list-order";
import { listPaymentIntentsQuery, listPayoutIntentsQuery, listTopupIntentsQuery } from "./lists";

/** The order of a list; REST has no such parameter. */
export const sortParameter = {
  sort: z.enum(LIST_SORTS, { error: `must be one of ${LIST_SORTS.join(", ")}` }).optional(),
};

const LONGEST_COLUMNS = 500;

const parameters = {
  ...sortParameter,
  columns: z
    .string()
    .max(LONGEST_COLUMNS, { error: `must have at most ${LONGEST_COLUMNS} characters` })
    .regex(/^[a-z_]+(?:,[a-z_]+)*$/, { error: "must be names of columns, separated by commas" })
    .optional(),
};

/** A place in a list is no part of what the list is. */
const PLACE = { cursor: true, limit: true } as const;

/** List → the parameters of its address, but for the place in it. */
export const listAddresses = {
  payments: listPaymentIntentsQuery.omit(PLACE).extend(parameters),
  payouts: listPayoutIntentsQuery
    .omit(PLACE)
    .extend({ ...parameters, queue: z.enum(["mine"], { error: "must be mine" }).optional() }),
  topups: listTopupIntentsQuery.omit(PLACE).extend(parameters),
} as const;
