import { FURTHEST_SECONDS } from "@/server/contract/sandbox";
import { validationError } from "@/server/domain/errors";
import { presentSandboxClock } from "@/server/http/present/sandbox-clock";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { advanceSandboxClock, getSandboxClock } from "@/server/services/sandbox/clock";
import { asOperator } from "../acting-as";
import { type Command, defineCommand, required } from "../command";
import { readDuration } from "../duration-option";

const show = defineCommand({
  name: "clock show",
  summary: "Show the time of a merchant's test environment",
  cells: "merchant",
  options: { merchant: required("ID", "the merchant") },
  run: async ({ merchant }) => {
    const clock = await getSandboxClock({ merchantId: merchant, environment: "test" });
    return { merchant_id: merchant, ...presentSandboxClock(clock) };
  },
});

const advance = defineCommand({
  name: "clock advance",
  summary: "Advance the clock of a merchant's test environment; it cannot be moved back",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    by: required("SPAN", "how far: 90s, 15m, 25h or 7d; 400 days in total"),
  },
  run: async ({ merchant, by }) => {
    const seconds = readDuration("by", by);
    if (seconds > FURTHEST_SECONDS) throw validationError("by", "must be 400 days or less");
    const { intent } = await advanceSandboxClock(
      asOperator({ merchantId: merchant, environment: "test" }),
      seconds,
      withoutIdempotency(),
    );
    return { merchant_id: merchant, ...presentSandboxClock(intent) };
  },
});

export const clock: readonly Command[] = [show, advance];
