// Commands that pause and resume dispatch to providers.
import { pauseDispatch, resumeDispatch, showDispatch } from "@/server/services/dispatch/control";
import { type Command, defineCommand } from "../command";
import { PAUSE_OPTIONS, presentPause, scopeOf } from "../present-pause";

export const dispatchCommands: readonly Command[] = [
  defineCommand({
    name: "dispatch show",
    summary: "Show what is kept from being sent to providers",
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
  }),
  defineCommand({
    name: "dispatch pause",
    summary: "Send nothing new to providers, of everything or of what the options name",
    options: PAUSE_OPTIONS,
    run: async (values) => presentPause(await pauseDispatch(scopeOf(values), values.reason)),
  }),
  defineCommand({
    name: "dispatch resume",
    summary: "End the pauses with exactly these options; without any, also accept a restored database",
    options: PAUSE_OPTIONS,
    run: async (values) => ({ resumed: await resumeDispatch(scopeOf(values), values.reason) }),
  }),
];
