// Owns how the clock of a test environment looks on the wire.
import type { SandboxClockResource } from "@/server/contract/sandbox";
import type { MerchantTime } from "@/server/services/sandbox/clock";

/** The clock as a resource; clocks are moved by whole seconds. */
export function presentSandboxClock({ now, offsetMs }: MerchantTime): SandboxClockResource {
  return { object: "sandbox_clock", now: now.toISOString(), offset_seconds: offsetMs / 1000 };
}
