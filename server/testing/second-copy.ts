// Owns a second copy of the services in this process: with committers of its own, so that batches race as between processes.

import { vi } from "vitest";

/** What tests let race; each copy gathers its own batches. They share the database, its pool and the providers. */
async function load() {
  const [payment, create, approve, cancel, due, followUp, kind, callbacks, update, merchant] = await Promise.all([
    import("@/server/services/payments/create"),
    import("@/server/services/payouts/create"),
    import("@/server/services/payouts/approve"),
    import("@/server/services/payouts/cancel"),
    import("@/server/services/due-intents"),
    import("@/server/services/intents/follow-up"),
    import("@/server/services/payouts/kind"),
    import("@/server/services/callbacks/receive-callback"),
    import("@/server/services/callbacks/apply-update"),
    import("@/server/testing/merchant"),
  ]);
  const { once } = merchant;
  return { ...payment, ...create, ...approve, ...cancel, ...due, ...followUp, ...kind, ...callbacks, ...update, once };
}

export type Copy = Awaited<ReturnType<typeof load>>;

/** The services as this test file has them, and once more. */
export async function loadTwice(): Promise<readonly [Copy, Copy]> {
  const first = await load();
  vi.resetModules();
  return [first, await load()];
}
