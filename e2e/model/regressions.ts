// Histories that once showed a fault; every run replays them first.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { CREATION_COURSES, type History, KINDS, POLICIES, TERMS } from "./world/history";

export interface Regression {
  /** What the service did wrong. */
  readonly fault: string;
  readonly history: History;
}

const policy = z.enum(POLICIES);
const history = z.object({
  kind: z.enum(KINDS),
  protocol: z.union([z.literal(1), z.literal(2)]),
  creations: z.array(z.enum(CREATION_COURSES)),
  hasFallback: z.boolean(),
  cancels: z.boolean(),
  losesRest: z.boolean(),
  reusesId: z.boolean(),
  approvals: z.union([z.literal(1), z.literal(2)]),
  isRefused: z.boolean().default(false),
  terms: z.enum(TERMS),
  overpayment: policy,
  underpayment: policy,
  latePayment: policy,
  steps: z.array(
    z.custom<History["steps"][number]>((step) => typeof step === "object" && step !== null && "do" in step),
  ),
});
const file = z.array(z.object({ fault: z.string().min(1), history }));

export function regressions(): readonly Regression[] {
  return file.parse(JSON.parse(readFileSync(new URL("./regressions.json", import.meta.url), "utf8")));
}
