import {
  type Pause,
  type PauseScope,
  pauseDispatch,
  resumeDispatch,
  showDispatch,
} from "@/server/services/dispatch/control";
import { type Command, defineCommand, optional, required } from "../command";

const PAUSE_OPTIONS = {
  reason: required("TEXT", "the reason, for the record"),
  provider: optional("NAME", "only intents for this provider"),
  merchant: optional("ID", "only intents of this merchant"),
  currency: optional("CODE", "only intents in this currency"),
};

/** The scope that the options name, or everything if none is given. */
function scopeOf(values: Readonly<Record<"provider" | "merchant" | "currency", string | null>>): PauseScope {
  return { provider: values.provider, merchantId: values.merchant, currency: values.currency };
}

function presentPause({ id, provider, merchantId, currency, reason, pausedBy, pausedAt }: Pause) {
  return {
    id,
    provider,
    merchant_id: merchantId,
    currency,
    reason,
    paused_by: pausedBy,
    paused_at: pausedAt.toISOString(),
  };
}

const show = defineCommand({
  name: "dispatch show",
  summary: "Show which intents are paused and not sent to providers",
  cells: "every",
  options: {},
  run: async () => {
    const { isOn, isRestored, open, identity, knownIdentity } = await showDispatch();
    return {
      dispatch: isOn ? "on" : "off",
      payouts_paused_by_restore: isRestored,
      database_identity: identity,
      known_database_identity: knownIdentity,
      data: open.map(presentPause),
    };
  },
});

const pause = defineCommand({
  name: "dispatch pause",
  summary: "Stop sending new intents to providers, all of them or those that the options select",
  cells: "merchant or every",
  options: PAUSE_OPTIONS,
  run: async (values) => presentPause(await pauseDispatch(scopeOf(values), values.reason)),
});

const resume = defineCommand({
  name: "dispatch resume",
  summary: "End the pauses with exactly these options; without options, also accept a restored database",
  cells: "merchant or every",
  options: PAUSE_OPTIONS,
  run: async (values) => ({ resumed: await resumeDispatch(scopeOf(values), values.reason) }),
});

export const dispatch: readonly Command[] = [show, pause, resume];
