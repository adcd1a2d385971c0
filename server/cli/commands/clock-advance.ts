// Owns the command that moves the clock of a merchant's test environment forward.
import { FURTHEST_SECONDS } from "@/server/contract/sandbox";
import { validationError } from "@/server/domain/errors";
import { presentSandboxClock } from "@/server/http/present/sandbox-clock";
import { unsealed } from "@/server/services/idempotency/sealing";
import { operatorContext } from "@/server/services/merchants/operator";
import { advanceSandboxClock } from "@/server/services/sandbox/clock";
import { defineCommand, required } from "../command";
import { readDuration } from "../duration-option";

export const clockAdvance = defineCommand({
  name: "clock advance",
  summary: "Let time pass in a merchant's test environment; there is no way back",
  options: {
    merchant: required("ID", "the merchant"),
    by: required("SPAN", "how long: 90s, 15m, 25h or 7d; 400 days in all"),
  },
  run: async ({ merchant, by }) => {
    const seconds = readDuration("by", by);
    if (seconds > FURTHEST_SECONDS) throw validationError("by", "must be 400 days or less");
    const { intent } = await advanceSandboxClock(operatorContext(merchant, "test"), seconds, unsealed());
    return { merchant_id: merchant, ...presentSandboxClock(intent) };
  },
});
