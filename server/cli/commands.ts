// Every command, by its noun. A command loads the code of its own noun only: all of it takes a second.
import type { Command } from "./command";
import { isHelpFlag } from "./parse";

type Load = () => Promise<Command | readonly Command[]>;

/** In the order in which help shows them. */
const NOUNS: ReadonlyMap<string, readonly Load[]> = new Map([
  ["cells", [async () => (await import("./commands/cells")).cells]],
  [
    "merchants",
    [
      async () => (await import("./commands/merchants")).merchants,
      async () => (await import("./commands/merchant-moves")).merchantMoves,
    ],
  ],
  ["currencies", [async () => (await import("./commands/currencies")).currencies]],
  ["topup-terms", [async () => (await import("./commands/topup-terms")).topupTerms]],
  ["keys", [async () => (await import("./commands/keys")).keys]],
  ["members", [async () => (await import("./commands/members")).members]],
  ["wallets", [async () => (await import("./commands/wallets")).wallets]],
  ["payouts", [async () => (await import("./commands/payouts")).payouts]],
  ["policies", [async () => (await import("./commands/policies")).policies]],
  ["payout-limits", [async () => (await import("./commands/payout-limits")).payoutLimits]],
  ["routes", [async () => (await import("./commands/routes")).routes]],
  ["providers", [async () => (await import("./commands/providers")).providers]],
  ["references", [async () => (await import("./commands/references")).references]],
  ["dispatch", [async () => (await import("./commands/dispatch")).dispatch]],
  ["accounts", [async () => (await import("./commands/accounts")).accounts]],
  ["listen", [async () => (await import("./commands/listen")).listen]],
  ["trigger", [async () => (await import("./commands/trigger")).trigger]],
  ["events", [async () => (await import("./commands/events")).events]],
  ["clock", [async () => (await import("./commands/clock")).clock]],
  ["statement", [async () => (await import("./commands/statement")).statement]],
  ["reconcile", [async () => (await import("./commands/reconcile")).reconcile]],
  ["exceptions", [async () => (await import("./commands/exceptions")).exceptions]],
  ["notifications", [async () => (await import("./commands/notifications")).notifications]],
  ["callbacks", [async () => (await import("./commands/callbacks")).callbacks]],
  ["intents", [async () => (await import("./commands/intents")).intents]],
  ["journal", [async () => (await import("./commands/journal")).journal]],
  [
    "audit",
    [
      async () => (await import("./commands/audit-list")).auditList,
      async () => (await import("./commands/audit")).audit,
    ],
  ],
  ["api-logs", [async () => (await import("./commands/api-logs")).apiLogs]],
  ["invariants", [async () => (await import("./commands/invariants")).invariants]],
  ["secrets", [async () => (await import("./commands/secrets")).secrets]],
  ["payers", [async () => (await import("./commands/payers")).payers]],
]);

async function load(loads: readonly Load[]): Promise<readonly Command[]> {
  return (await Promise.all(loads.map((one) => one()))).flat();
}

/** Every command, for help. It loads all of their code. */
export function allCommands(): Promise<readonly Command[]> {
  return load([...NOUNS.values()].flat());
}

/** The commands of the noun that is the first word; all if there is no such noun. */
export function commandsOfNoun(words: readonly string[]): Promise<readonly Command[]> {
  const loads = NOUNS.get(words.find((word) => !isHelpFlag(word)) ?? "");
  return loads ? load(loads) : allCommands();
}
