// After a rotation: what needs the old secret, and how values move to the new one.
import { Secret, TOTP } from "otpauth";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { KEYED_COLUMNS } from "@/server/db/secrets/keyed-columns";
import { fence, unfence } from "@/server/db/testing/move-by-hand";
import { allCells } from "@/server/platform/cell";
import { env } from "@/server/platform/env";
import { createKeyRing } from "@/server/platform/key-ring";
import { keyRing } from "@/server/platform/keys";
import { keyed, makeMember, makeMerchant, once, payout, type TestMerchant } from "@/server/testing/merchant";
import { proposePolicy } from "../approval-policies/propose";
import { linkAuditEntries } from "../audit/link-entries";
import { withoutIdempotency } from "../idempotency/completion";
import { createPayoutIntent } from "../payouts/create";
import { createSignInThrottle } from "../sign-in/sign-in-throttle";
import { beginTotp, confirmTotp } from "../sign-in/totp";
import { createWebhookEndpoint } from "../webhooks/create-endpoint";
import { secretsStatus } from "./status";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";

const NEW = Buffer.alloc(32, 7);

let merchant: TestMerchant;
let memberId: string;

/** Puts a new secret in front of the given one, as an operator does. */
function rotate(): void {
  vi.stubGlobal("sluiceKeyRing", createKeyRing([NEW, ...env().secrets]));
}

/** Stores a value of most purposes. */
beforeAll(async () => {
  merchant = await makeMerchant();
  const { merchantId, context } = merchant;
  await once(keyed(merchant, "a-payout"), (idempotency) => createPayoutIntent(context, payout(), idempotency));
  const endpoint = { url: "http://127.0.0.1:9/hook", description: "", eventTypes: null };
  await createWebhookEndpoint(context, endpoint, withoutIdempotency());
  memberId = await makeMember(merchantId, "eva@shop.example", "approver");
  const { secret } = await beginTotp({ merchantId, memberId }, "eva@shop.example", "");
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await confirmTotp({ ...context, actor: { type: "member", id: memberId } }, code, "");
  await createSignInThrottle("password").begin(memberId, { kind: "address", address: "203.0.113.7" });
  await proposePolicy(merchant.byMember(), { rules: [], defaultApprovals: 2 });
  await linkAuditEntries();
});
afterEach(() => vi.unstubAllGlobals());
afterAll(disconnect);

/** The columns with a value that names the key, found without the list. */
async function columnsNaming(keyId: string): Promise<string[]> {
  const columns = await query<{ name: string; column: string }>(
    `SELECT table_name AS name, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type IN ('text', 'ARRAY', 'json', 'jsonb')`,
  );
  const found: string[] = [];
  for (const { name, column } of columns) {
    const pattern = `(^|[^0-9a-f])${keyId}([^0-9a-f]|$)`;
    const rows = await query(`SELECT FROM ${name} WHERE "${column}"::text ~ $1 LIMIT 1`, pattern);
    if (rows.length > 0) found.push(`${name}.${column}`);
  }
  return found.sort();
}

it("every column with a value that names a key is listed", async () => {
  const listed = Object.values(KEYED_COLUMNS).flat();
  const places = new Set(listed.map(({ table, column }) => `${table}.${column}`));
  const found = await columnsNaming(keyRing().current("session").id);
  expect(found.length).toBeGreaterThanOrEqual(10);
  expect(found.filter((place) => !places.has(place))).toEqual([]);
});

it("the status counts the same columns by key, and after a rotation the old key is needed", async () => {
  const { id } = keyRing().current("session");
  const before = await secretsStatus();
  const current = before.stored.filter((one) => one.id === id);
  expect(current.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(await columnsNaming(id));
  expect(current.every(({ state, rows }) => state === "current" && rows > 0)).toBe(true);
  expect(before.old).toEqual([]);
  rotate();
  const after = await secretsStatus();
  expect(after.stored.filter((one) => one.id === id).every(({ state }) => state === "old")).toBe(true);
  expect(after.old).toEqual([
    {
      variable: "SLUICE_SECRETS",
      id,
      neededBy: expect.arrayContaining(["payout_intent.account_sealed"]),
      isRemovable: false,
    },
  ]);
});

it("a value whose secret was removed is missing its key", async () => {
  vi.stubGlobal("sluiceKeyRing", createKeyRing([NEW]));
  const { stored, old } = await secretsStatus();
  expect(new Set(stored.map(({ state }) => state))).toEqual(new Set(["missing"]));
  expect(old).toEqual([]);
});

it.each([
  ["arriving", "eu2", false],
  ["closing", "eu2", false],
  ["leaving", "eu2", false],
  ["left", "main", true],
  ["left", "eu2, which this process does not know", false],
] as const)(
  "while a merchant is %s, the other cell being %s, an old key that nothing else needs is removable: %s",
  async (state, other, isRemovable) => {
    vi.stubGlobal("sluiceKeyRing", createKeyRing([...env().secrets, NEW]));
    const idle = await makeMerchant();
    const [cell] = allCells();
    await fence(cell, idle.merchantId, state, { ...cell, name: other.slice(0, 4).replace(",", "") });
    const { old, moving } = await secretsStatus();
    expect(old).toContainEqual(expect.objectContaining({ neededBy: [], isRemovable }));
    expect(moving).toEqual(isRemovable ? [] : [idle.merchantId]);
    // A departure stays for good.
    if (state !== "left") await unfence(cell, idle.merchantId);
  },
);
