// dLocal's objects, as far as the adapter reads them.
import { z } from "zod";

const id = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/);

export const payment = z.object({
  id,
  order_id: z.string(),
  amount: z.number().nonnegative(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  status: z.string(),
  /** Says why, for statuses that have several reasons. */
  status_code: z.union([z.string(), z.number()]).nullish().catch(null),
  /** The payer's page. The answer to a creation has it; dLocal's examples of a poll do not. */
  redirect_url: z.string().max(2048).nullish().catch(null),
});

/** The order of a payment: `order_id` is our reference. */
export const order = z.object({ order_id: z.string(), payment_id: id });

export type DlocalPayment = z.infer<typeof payment>;
