// The steps of a certification and their results.

/** `not_possible`: the adapter or the sandbox does not offer it, or nobody did a person's part. */
export type StepResult = "passed" | "failed" | "not_possible";

export interface Finding {
  readonly result: StepResult;
  /** What happened; contains no secret. */
  readonly text: string;
}

export interface Step extends Finding {
  /** What the step is about: `account`, a payment method, or `payouts in` a currency. */
  readonly subject: string;
  readonly name: string;
}

export const passed = (text: string): Finding => ({ result: "passed", text });
export const failed = (text: string): Finding => ({ result: "failed", text });
export const notPossible = (text: string): Finding => ({ result: "not_possible", text });

/** Runs a step and records its finding. A step that throws has failed. */
export type RunStep = (subject: string, name: string, perform: () => Promise<Finding> | Finding) => Promise<Finding>;

/** Returns a recorder that adds to `steps`. */
export function recordInto(steps: Step[]): RunStep {
  return async (subject, name, perform) => {
    const finding = await (async () => perform())().catch((error: unknown) =>
      failed(`the step broke off: ${error instanceof Error ? error.message : "unknown error"}`),
    );
    steps.push({ subject, name, ...finding });
    return finding;
  };
}
