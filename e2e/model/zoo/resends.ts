// Planted bugs that send an intent to its provider again when the provider may have forgotten the first call.
import type { Patch } from "./patch";

const FOLLOW_UP = { project: "db", tests: ["server/services/intents/follow-up.db.test.ts"] } as const;

export const RESEND_PATCHES: readonly Patch[] = [
  {
    name: "resends: a payout is sent again under a new key after 24 hours",
    file: "server/services/intents/follow-up.ts",
    within: "poll",
    find: "if (isRemembered && sent.length < MAXIMUM_SENDS) return send(subject, attempts);",
    replace: `if (sent.length < MAXIMUM_SENDS)
    return send(
      isRemembered ? subject : { ...subject, intent: { ...intent, dispatchReference: intent.dispatchReference + "-2" } },
      attempts,
    );`,
    caughtBy: FOLLOW_UP,
  },
  {
    name: "resends: a provider is believed to remember longer than it does",
    file: "server/services/intents/sending.ts",
    within: "PROVIDER_MEMORY_MS",
    find: "23 * 60 * 60 * 1000",
    replace: "26 * 60 * 60 * 1000",
    caughtBy: { project: "db", tests: ["server/services/sandbox/clock.db.test.ts"] },
  },
  {
    name: "resends: the memory of a provider begins with each call",
    file: "server/services/intents/follow-up.ts",
    within: "poll",
    find: "at.getTime() - first.startedAt.getTime() < PROVIDER_MEMORY_MS",
    replace: "at.getTime() - last.startedAt.getTime() < PROVIDER_MEMORY_MS",
    caughtBy: FOLLOW_UP,
  },
];
