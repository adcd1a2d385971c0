// Presents the clock of a test environment on the wire.
import type { SandboxClockResource } from "@/server/contract/sandbox";
import type { MerchantTime } from "@/server/services/sandbox/clock";

/** Presents the clock. Clocks advance by whole seconds. */
export function presentSandboxClock({ now, offsetMs }: MerchantTime): SandboxClockResource {
  return { object: "sandbox_clock", now: now.toISOString(), offset_seconds: offsetMs / 1000 };
}
