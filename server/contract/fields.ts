// The wire form of single fields. Schemas stay free of transforms, dates and bigints: they become OpenAPI.
import { z } from "zod";
import { COUNTRIES } from "@/server/domain/countries";
import { isKnownCurrency } from "@/server/domain/currencies";
import { AMOUNT_PATTERN } from "@/server/domain/money";
import { FAILURE_CODES } from "@/server/domain/transition";

/** Returns the length in Unicode code points, the unit of every text limit of the contract. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Returns a schema of free text of `minimum` to `maximum` code points, well-formed and without NUL. */
export function text(minimum: number, maximum: number) {
  const bounds = minimum === 0 ? `at most ${maximum}` : `${minimum} to ${maximum}`;
  return z
    .string({ error: "must be a string" })
    .refine((value) => codePoints(value) >= minimum && codePoints(value) <= maximum, {
      error: `must have ${bounds} characters`,
    })
    .refine(isStorable, { error: "must be well-formed Unicode without NUL" })
    .meta({ minLength: minimum, maxLength: maximum });
}

export const amount = z
  .string({ error: "must be a string of minor units" })
  .regex(AMOUNT_PATTERN, { error: "must be a positive whole number of minor units, as a string without leading zeros" })
  .meta({ description: 'Minor units as a decimal string: "1050" is 10.50 BRL.', examples: ["1050"] });

/** An amount in an answer, which may be zero. */
export const amountOut = z
  .string()
  .regex(/^(0|[1-9][0-9]*)$/)
  .meta({ description: "Minor units as a decimal string." });

/** Marks a member or parameter that the interface document does not have. */
export const EXTENSION = { "x-extension": true } as const;

/** Returns the schema of the member that names the kind of a resource. */
export function kindOf<const Kind extends string>(kind: Kind) {
  return z.literal(kind).meta({ description: "The kind of this resource." });
}

/** Returns the schema of a resource's id. */
export function idOf(prefix: string) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_`))
    .meta({ description: `Its id: \`${prefix}_\` and an opaque identifier.` });
}

export const currency = z
  .string({ error: "must be a string" })
  .regex(/^[A-Z]{3,6}$/, { error: "must be an upper-case ISO 4217 code or token symbol" })
  .refine(isKnownCurrency, { error: "is not a currency or token this service knows" })
  .meta({ description: "An ISO 4217 code, upper-case; it must be enabled for the merchant.", examples: ["BRL"] });

export const tokenSymbol = currency.meta({
  description: "A token symbol of three to six letters, upper-case.",
  examples: ["USDT"],
});

/** A currency in an answer. */
export const currencyOut = z
  .string()
  .regex(/^[A-Z]{3,6}$/)
  .meta({ description: "An ISO 4217 code or a token symbol." });

export const country = z
  .string({ error: "must be a string" })
  .regex(/^[A-Z]{2}$/, { error: "must be an upper-case ISO 3166-1 alpha-2 code" })
  .refine((code) => COUNTRIES.has(code), { error: "is not an ISO 3166-1 alpha-2 code" })
  .meta({ description: "An ISO 3166-1 alpha-2 code, upper-case.", examples: ["BR"] });

/** A country in an answer. */
export const countryOut = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .meta({ description: "An ISO 3166-1 alpha-2 code." });

export const merchantReference = text(1, 255).meta({
  description: "Your own id of it; unique per environment and kind of resource, without a time limit.",
  examples: ["order-1001"],
});

export const merchantReferenceOut = z.string().meta({ description: "Your own id of it." });

export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({
    format: "date-time",
    description: "A time in UTC with milliseconds.",
    examples: ["2026-11-21T09:30:00.000Z"],
  });

export const environment = z
  .enum(["test", "live"])
  .meta({ description: "The environment of the API key that created it." });

/** When a resource was created and last changed. */
export const resourceTimes = {
  created_at: timestamp.meta({ description: "The time of its creation." }),
  updated_at: timestamp.meta({ description: "The time of its last change." }),
};

/** Returns an object schema with our error for a value of a wrong type. */
export function object<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.object(shape, { error: "must be an object" });
}

/** Members of a failed, expired or cancelled intent; both null otherwise (interface §2). */
export const failureMembers = {
  failure_code: z
    .enum(FAILURE_CODES)
    .nullable()
    .meta({ description: "Why it failed, expired or was cancelled; null otherwise." }),
  failure_message: z
    .string()
    .nullable()
    .meta({ description: "The same for people; of a cancelled payout, the reason that was given. It may be null." }),
};
