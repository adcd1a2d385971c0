// Proves that dLocal accepts the keys of an account. dLocal names no account in its answers: the X-Login is one, and is signed.
import { z } from "zod";
import type { DlocalAnswer, DlocalClient } from "./client";
import { CALLS } from "./tables";

const methods = z.array(
  z.object({ id: z.string(), name: z.string().catch(""), allowed_flows: z.array(z.string()).catch([]) }),
);

/** A payment method that the account has, with its flows. */
export type DlocalMethod = z.infer<typeof methods>[number];

/** Returns the payment methods that the account has in a country; the answer if dLocal does not list them. */
export async function listMethods(
  client: DlocalClient,
  country: string,
  signal: AbortSignal,
): Promise<readonly DlocalMethod[] | DlocalAnswer> {
  const { method, path } = CALLS.paymentMethods;
  const answer = await client({ method, path: `${path}?country=${country}` }, signal);
  const parsed = answer.kind === "data" ? methods.safeParse(answer.data) : null;
  return parsed?.success ? parsed.data : answer;
}
