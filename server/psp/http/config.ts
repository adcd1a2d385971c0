// The configuration of a provider that speaks our protocol (docs/provider-protocol.md).
import { z } from "zod";
import { isToken } from "@/server/domain/currencies";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { isBaseUrl, isOpenlyReadable } from "../config/address";
import { commonMembers, currency } from "../config/common";
import { secret } from "../config/secret";

export const httpConfig = z
  .strictObject({
    ...commonMembers,
    type: z.literal("http").optional(),
    url: z.string().refine(isBaseUrl, "must be an http or https address without query, fragment or credentials"),
    secret: secret(32),
    /** More secrets that sign callbacks, while a secret is being replaced. */
    webhook_secrets: z.array(secret(32)).max(8).optional(),
    topups: z
      .array(z.strictObject({ source: z.string().refine(isToken, "is not a known token"), destination: currency }))
      .default([]),
    environments: z.array(z.enum(ENVIRONMENTS)).min(1, "must name at least one environment").default(["live"]),
    exponents: z.record(currency, z.int().min(0).max(18)).default({}),
    cancel: z.boolean().default(false),
    refund: z.boolean().optional(),
    protocol: z.union([z.literal(1), z.literal(2)], { error: "must be 1 or 2" }).default(1),
    plain_http: z.boolean().default(false),
  })
  .refine(({ url, plain_http }) => plain_http || !isOpenlyReadable(url), {
    path: ["url"],
    error: "must use https unless it is on the loopback or plain_http is true: account numbers travel over it",
  });

/** One provider behind our protocol, as the operator describes it. */
export type HttpConfig = z.infer<typeof httpConfig>;
