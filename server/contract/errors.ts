import { z } from "zod";
import { ERROR_STATUS, type ErrorCode } from "@/server/domain/errors";

const CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

export const errorEnvelope = z
  .object({
    error: z
      .object({
        code: z.enum(CODES).meta({ description: "What happened, for programs." }),
        message: z.string().meta({ description: "What happened, for people. It may be reworded." }),
      })
      .meta({ description: "The one error of the request." }),
  })
  .meta({ id: "Error" });

/** Builds the body of an error answer: exactly two members. */
export function errorBody(code: ErrorCode, message: string): z.infer<typeof errorEnvelope> {
  return { error: { code, message } };
}
