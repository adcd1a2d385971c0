// BTCPay's objects, as far as the adapter reads them.
import { z } from "zod";

const id = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/);
/** BTCPay writes decimals as texts. */
const decimal = z.string().max(64);
/** Seconds. */
const time = z.int().nonnegative();

/** Members that Sluice writes; anybody who may edit the invoice can change them. */
const metadata = z
  .object({
    orderId: z.unknown(),
    sluice_merchant: z.unknown(),
    sluice_amount: z.unknown(),
    sluice_currency: z.unknown(),
  })
  .nullish()
  .catch(null);

export const invoice = z.object({
  id,
  storeId: z.string(),
  amount: decimal,
  currency: z.string(),
  createdTime: time,
  expirationTime: time,
  status: z.string(),
  additionalStatus: z.string(),
  metadata,
});

const payment = z.object({ id: z.string().min(1).max(200), value: decimal, status: z.string() });

const paymentMethod = z.object({
  paymentMethodId: z.string(),
  destination: z.string().nullish(),
  payments: z.array(payment),
});

/** A list whose items are read one by one, since some are not ours. */
export const list = z.array(z.unknown());
/** The reference that an item of a list names. */
export const named = z.object({ metadata });
export const paymentMethods = z.array(paymentMethod);
export const rates = z.array(
  z.object({ currencyPair: z.string(), rate: decimal.nullish(), errors: z.array(z.unknown()).nullish() }),
);
export const storeMethods = z.array(z.object({ paymentMethodId: z.string(), enabled: z.boolean() }));
export const store = z.object({ id: z.string(), anyoneCanCreateInvoice: z.boolean().nullish() });
export const apiKey = z.object({ permissions: z.array(z.string()) });

export type BtcpayInvoice = z.infer<typeof invoice>;
export type BtcpayMethod = z.infer<typeof paymentMethod>;
export type BtcpayPayment = z.infer<typeof payment>;
