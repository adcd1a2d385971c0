// Planted bugs in how merchants' accounts under the operator's account at a provider are kept apart.
import type { Patch } from "./patch";

const MODEL = { project: "db", tests: ["e2e/model/adapter-driver"] } as const;
const RULES = { project: "db", tests: ["server/services/providers/sub-accounts.db.test.ts"] } as const;

export const SUB_ACCOUNT_PATCHES: readonly Patch[] = [
  {
    name: "sub-accounts: a poll asks the operator's account",
    file: "server/psp/sub-accounts.ts",
    within: "bySubAccount",
    find: "gatewayOf(request.subAccount)",
    replace: 'gatewayOf(name.startsWith("query") ? null : request.subAccount)',
    caughtBy: MODEL,
  },
  {
    name: "sub-accounts: a webhook of another account is accepted",
    file: "server/db/attempts.ts",
    within: "findOwnerAcrossMerchants",
    find: "AND provider_sub_account IS NOT DISTINCT FROM $3 LIMIT 1",
    replace: "AND ($3::text IS NULL OR true) LIMIT 1",
    caughtBy: MODEL,
  },
  {
    name: "sub-accounts: calls follow the configuration instead of the first call",
    file: "server/services/intents/call-history.ts",
    within: "callHistory",
    find: "return { earlier: { providerReference: providerReference ?? null, account: account ?? null }, subAccount };",
    replace:
      "return { earlier: { providerReference: providerReference ?? null, account: account ?? null }, subAccount: gateway.subAccounts?.[merchantId] ?? null };",
    caughtBy: RULES,
  },
  {
    name: "sub-accounts: the announcement does not record the account",
    file: "server/db/commit/unit.ts",
    within: "attemptMembers",
    find: "sub_account ? { sub_account } : {}",
    replace: 'sub_account === "" ? { sub_account } : {}',
    caughtBy: MODEL,
  },
  {
    name: "sub-accounts: a start is not refused when a merchant's account changes",
    file: "server/services/providers/accounts.ts",
    within: "accountFault",
    find: "present === subAccount",
    replace: "present === subAccount || present !== null",
    caughtBy: RULES,
  },
  {
    name: "sub-accounts: the key of another platform is believed",
    file: "server/psp/sub-accounts.ts",
    within: "createSubAccountGuard",
    find: 'return proof === "same" ? own.prove(signal) : proof;',
    replace: 'return proof === "unproven" ? proof : own.prove(signal);',
    caughtBy: { project: "unit", tests: ["server/psp/sub-accounts.test.ts"] },
  },
];
