// A second copy of the services in this process, with its own committers, so that batches race as between processes.

import { vi } from "vitest";

/**
 * The services that tests run concurrently. Each copy has its own batches; they share the database, pool and providers.
 */
async function load() {
  const [payment, topup, create, approve, cancel, due, followUp, kind, callbacks, update, merchant] = await Promise.all(
    [
      import("@/server/services/payments/create"),
      import("@/server/services/topups/create"),
      import("@/server/services/payouts/create"),
      import("@/server/services/payouts/approve"),
      import("@/server/services/payouts/cancel"),
      import("@/server/services/due-intents"),
      import("@/server/services/intents/follow-up"),
      import("@/server/services/payouts/kind"),
      import("@/server/services/callbacks/receive-callback"),
      import("@/server/services/callbacks/apply-update"),
      import("@/server/testing/merchant"),
    ],
  );
  const { once } = merchant;
  return {
    ...payment,
    ...topup,
    ...create,
    ...approve,
    ...cancel,
    ...due,
    ...followUp,
    ...kind,
    ...callbacks,
    ...update,
    once,
  };
}

export type Copy = Awaited<ReturnType<typeof load>>;

/** Returns the services that this test file imports, and a second copy. */
export async function loadTwice(): Promise<readonly [Copy, Copy]> {
  const first = await load();
  vi.resetModules();
  return [first, await load()];
}
