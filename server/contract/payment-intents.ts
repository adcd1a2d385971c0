import { z } from "zod";
import { PAYMENT_STATUSES } from "@/server/domain/payment-transitions";
import { returnUrlFault } from "@/server/domain/return-url";
import {
  amount,
  amountOut,
  country,
  countryOut,
  currency,
  currencyOut,
  EXTENSION,
  environment,
  failureMembers,
  idOf,
  kindOf,
  merchantReference,
  merchantReferenceOut,
  object,
  resourceTimes,
  text,
  timestamp,
} from "./fields";

export const paymentMethodCode = z
  .string({ error: "must be a string" })
  .regex(/^[A-Z]{2}_[A-Z0-9_]{2,40}$/, { error: "must be a method code such as BR_PIX" })
  .meta({
    description: "A method of `GET /payment_methods`: the country, an underscore and a name.",
    examples: ["BR_PIX"],
  });

const returnUrl = z.string({ error: "must be a string" }).refine((value) => returnUrlFault(value, "test") === null, {
  error: ({ input }) => returnUrlFault(String(input), "test") ?? undefined,
});

export const createPaymentIntentBody = object({
  amount,
  currency,
  country,
  payment_method: paymentMethodCode,
  merchant_reference: merchantReference,
  customer: object({
    name: text(0, 255).optional().meta({ description: "The payer's name." }),
    email: text(0, 255).optional().meta({ description: "The payer's email address." }),
    reference: text(0, 255).optional().meta({ description: "Your own id of the payer." }),
    document: text(0, 64)
      .optional()
      .meta({ ...EXTENSION, description: "The payer's tax or identity number." }),
  })
    .optional()
    .meta({
      description: "The payer. `GET /payment_methods` lists the members that a method requires; no answer shows them.",
    }),
  description: text(1, 200)
    .optional()
    .meta({
      ...EXTENSION,
      description: "What is bought, for the payer's page. It also stays in the audit log: no personal data.",
      examples: ["2 tickets, row 7"],
    }),
  return_url: returnUrl.optional().meta({
    ...EXTENSION,
    description:
      "Your page that the payer's page leads back to; https, with a test key also http. That the payer returns says " +
      "nothing about the outcome.",
    examples: ["https://shop.example/orders/1001"],
  }),
}).meta({ id: "CreatePaymentIntent" });

const actionType = <const Type extends string>(type: Type) =>
  z.literal(type).meta({ description: "What the payer must do." });
const actionEnd = timestamp.meta({ description: "The time until which the payer can do it." });
const instructionsPage = z
  .string()
  .meta({ ...EXTENSION, description: "Our page with these instructions for the payer." });

const paymentNextAction = z
  .discriminatedUnion("type", [
    z
      .object({
        type: actionType("redirect_to_url"),
        url: z.string().meta({ description: "The page to send the payer to." }),
        expires_at: actionEnd,
      })
      .meta({ id: "RedirectToUrl" }),
    z
      .object({
        type: actionType("display_qr_code"),
        data: z.string().meta({ ...EXTENSION, description: "The raw code, to copy and paste." }),
        image_url_png: z.string().meta({ ...EXTENSION, description: "The code as a PNG image." }),
        image_url_svg: z.string().meta({ ...EXTENSION, description: "The code as an SVG image." }),
        hosted_instructions_url: instructionsPage,
        expires_at: actionEnd,
      })
      .meta({ id: "DisplayQrCode" }),
    z
      .object({
        type: actionType("display_bank_transfer_instructions"),
        amount: amountOut.meta({ ...EXTENSION, description: "The sum to transfer, in minor units." }),
        currency: currencyOut.meta({ ...EXTENSION }),
        reference: z.string().meta({ ...EXTENSION, description: "The text that the transfer must carry." }),
        financial_addresses: z
          .array(
            z.object({
              network: z.string().meta({ ...EXTENSION, description: "The transfer network, such as `spei`." }),
              bank_name: z.string().meta({ ...EXTENSION, description: "The bank's name." }),
              bank_code: z.string().meta({ ...EXTENSION, description: "The bank's code in the network." }),
              account_number: z.string().meta({ ...EXTENSION, description: "The account to transfer to." }),
              account_holder_name: z.string().meta({ ...EXTENSION, description: "The name of the account's holder." }),
            }),
          )
          .meta({ ...EXTENSION, description: "The accounts to transfer to; any one of them." }),
        hosted_instructions_url: instructionsPage,
        expires_at: actionEnd,
      })
      .meta({ id: "DisplayBankTransferInstructions" }),
  ])
  .meta({ id: "PaymentNextAction" });

export const paymentIntentResource = z
  .object({
    object: kindOf("payment_intent"),
    id: idOf("dord"),
    amount: amountOut,
    currency: currencyOut,
    country: countryOut,
    environment,
    status: z.enum(PAYMENT_STATUSES).meta({ description: "`succeeded`, `failed` and `expired` are final." }),
    merchant_reference: merchantReferenceOut,
    payment_method: z.string().meta({ description: "The method's code." }),
    description: z
      .string()
      .optional()
      .meta({ ...EXTENSION, description: "What is bought; absent unless it was given." }),
    return_url: z
      .string()
      .optional()
      .meta({ ...EXTENSION, description: "Where the payer's page leads back to; absent unless it was given." }),
    next_action: paymentNextAction.nullable().meta({ description: "What the payer must do; null if nothing." }),
    ...failureMembers,
    ...resourceTimes,
  })
  .meta({ id: "PaymentIntent" });

export type CreatePaymentIntentBody = z.infer<typeof createPaymentIntentBody>;
export type PaymentIntentResource = z.infer<typeof paymentIntentResource>;
