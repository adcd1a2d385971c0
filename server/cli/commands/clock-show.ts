// Owns the command that shows the clock of a merchant's test environment.
import { presentSandboxClock } from "@/server/http/present/sandbox-clock";
import { getSandboxClock } from "@/server/services/sandbox/clock";
import { defineCommand, required } from "../command";

export const clockShow = defineCommand({
  name: "clock show",
  summary: "Show what time it is in a merchant's test environment",
  options: { merchant: required("ID", "the merchant") },
  run: async ({ merchant }) => {
    const clock = await getSandboxClock({ merchantId: merchant, environment: "test" });
    return { merchant_id: merchant, ...presentSandboxClock(clock) };
  },
});
