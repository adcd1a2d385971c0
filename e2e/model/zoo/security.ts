// Planted bugs that let a stranger or a colleague in.
import type { Patch } from "./patch";

const SIGNATURES = { project: "unit", tests: ["server/psp/http/signature.test.ts"] } as const;
const ADDRESSES = { project: "unit", tests: ["server/receivers/address-policy.test.ts"] } as const;
const CURSORS = { project: "unit", tests: ["server/http/cursor.test.ts"] } as const;
const KEYS = { project: "db", tests: ["server/services/api-keys"] } as const;
const SESSIONS = { project: "db", tests: ["server/services/sign-in/sessions.db.test.ts"] } as const;

export const SECURITY_PATCHES: readonly Patch[] = [
  {
    name: "a provider's message can be replayed for ever",
    file: "server/psp/http/signature.ts",
    within: "isSigned",
    find: "Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS",
    replace: "Number(timestamp) < 0",
    caughtBy: SIGNATURES,
  },
  {
    name: "a signature without its end is accepted",
    file: "server/psp/http/signature.ts",
    within: "isSigned",
    find: 'equalTexts(signatureOf(secret, timestamp, message), headers.get(SIGNATURE_HEADER) ?? "")',
    replace: 'signatureOf(secret, timestamp, message).startsWith(headers.get(SIGNATURE_HEADER) ?? "-")',
    caughtBy: SIGNATURES,
  },
  {
    name: "a webhook can call an address of our own network by its number",
    file: "server/receivers/address-policy.ts",
    within: "hostFault",
    find: "mayConnectTo(literal, policy) ? null : MUST_BE_PUBLIC",
    replace: "null",
    caughtBy: ADDRESSES,
  },
  {
    name: "an IPv6 address may contain a private IPv4 address",
    file: "server/receivers/address-policy.ts",
    within: "mayConnectTo",
    find: 'range === "unicast" && (parsed instanceof ipaddr.IPv4 || isGlobalUnicast(parsed))',
    replace: 'range === "unicast" || range === "ipv4Mapped"',
    caughtBy: ADDRESSES,
  },
  {
    name: "a cursor of one environment works in the other",
    file: "server/http/cursor.ts",
    within: "mac",
    find: "|${scope.environment}|",
    replace: "|",
    caughtBy: CURSORS,
  },
  {
    name: "a cursor of one merchant works for another",
    file: "server/http/cursor.ts",
    within: "mac",
    find: "${scope.merchantId}|",
    replace: "",
    caughtBy: CURSORS,
  },
  {
    name: "a revoked key goes on",
    file: "server/services/api-keys/authenticate.ts",
    within: "authenticate",
    find: "!isUsable(key, secretKey)",
    replace: "isUsable(key, secretKey) === null",
    caughtBy: KEYS,
  },
  {
    name: "a key works from every address",
    file: "server/services/api-keys/authenticate.ts",
    within: "isFromNetworks",
    find: "isAddressIn(address, networks)",
    replace: 'address !== "nowhere"',
    caughtBy: KEYS,
  },
  {
    name: "a session goes on after it was ended",
    file: "server/services/sign-in/sessions.ts",
    within: "findWithinMerchant",
    find: "row.revokedAt !== null",
    replace: "row.expiresAt === null",
    caughtBy: SESSIONS,
  },
  {
    name: "an unused session does not end",
    file: "server/services/sign-in/sessions.ts",
    within: "findWithinMerchant",
    find: "idleFor >= IDLE_MS",
    replace: "idleFor < 0",
    caughtBy: SESSIONS,
  },
  {
    name: "whoever made a payout can approve it",
    file: "server/domain/payout-gate.ts",
    within: "obstacleOf",
    find: 'if (isMaker) return "made_by_you";',
    replace: 'if (isMaker && authorityFrom === null) return "made_by_you";',
    caughtBy: { project: "unit", tests: ["server/domain/payout-gate.test.ts"] },
  },
];
