// Owners give the payer's page a color and a logo; each change is in the audit log, and owners receive a notice.
import { createHash } from "node:crypto";
import { encode } from "fast-png";
import { beforeEach, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { makeMember, makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { merchantSettings } from "../merchants/settings";
import { recentNotices } from "../notices/notices";
import { logoOf, setBrandByOwner } from "./brand";

let merchant: TestMerchant;
let owner: CallContext;
beforeEach(async () => {
  merchant = await makeMerchant();
  owner = await join("owner");
});

async function join(...roles: readonly string[]): Promise<CallContext> {
  const id = await makeMember(merchant.merchantId, `${crypto.randomUUID()}@shop.example`, ...roles);
  return { ...merchant.context, actor: { type: "member", id } };
}

const states = async () =>
  (
    await query<{ before: object; after: object }>(
      `SELECT before, after FROM audit_entry WHERE merchant_id = $1 AND action = 'merchant.set_brand'
       ORDER BY created_at, id`,
      merchant.merchantId,
    )
  ).map(({ before, after }) => [before, after]);

function png(gray: number): Buffer {
  const picture = { width: 2, height: 2, data: new Uint8Array(4).fill(gray), channels: 1, depth: 8 } as const;
  return Buffer.from(encode(picture));
}
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

it("color and logo are set, kept where omitted, and removed; each change has both states in the log", async () => {
  const [first, second] = [png(10), png(20)];
  const none = { color: null, logo_sha256: null };
  expect((await merchantSettings(merchant.merchantId)).brand).toEqual({ color: null, logoSha256: null });
  expect(await setBrandByOwner(owner, { color: " #1B7F5C ", logo: first })).toEqual({
    color: "#1b7f5c",
    logoSha256: sha256(first),
  });
  expect(await logoOf(merchant.merchantId)).toEqual(first);
  await setBrandByOwner(owner, { color: "#1b7f5c", logo: second });
  await setBrandByOwner(owner, { color: null });
  await setBrandByOwner(owner, { color: null });
  expect(await logoOf(merchant.merchantId)).toEqual(second);
  expect(await setBrandByOwner(owner, { color: null, logo: null })).toEqual({ color: null, logoSha256: null });
  expect(await logoOf(merchant.merchantId)).toBeNull();
  const [green, other] = [
    { color: "#1b7f5c", logo_sha256: sha256(first) },
    { color: "#1b7f5c", logo_sha256: sha256(second) },
  ];
  const logoAlone = { ...other, color: null };
  expect(await states()).toEqual([
    [none, green],
    [green, other],
    [other, logoAlone],
    [logoAlone, none],
  ]);
});

it("owners receive a notice", async () => {
  const second = await join("owner");
  await setBrandByOwner(owner, { color: "#1b7f5c" });
  const [notice] = await recentNotices({ merchantId: merchant.merchantId, memberId: second.actor.id });
  expect(notice?.text).toMatch(/changed the color or logo that payers see\.$/);
});

it("changes at the same moment follow one another: each entry begins where another one ended", async () => {
  const colors = Array.from({ length: 8 }, (_, index) => `#00000${index}`);
  await Promise.all(colors.map((color) => setBrandByOwner(owner, { color })));
  const entries = await states();
  expect(entries).toHaveLength(colors.length);
  for (const [index, [before]] of entries.entries())
    expect(before).toEqual(entries[index - 1]?.[1] ?? { color: null, logo_sha256: null });
});

it("what is no color or no PNG changes nothing", async () => {
  for (const color of ["", "green", "#1b7f5", "#1b7f5c;background:url(x)", "url(#1b7f5c)"])
    await expect(setBrandByOwner(owner, { color })).rejects.toMatchObject({ code: "validation_failed" });
  for (const logo of [Buffer.alloc(0), Buffer.from("<svg/>"), png(1).subarray(0, 20)])
    await expect(setBrandByOwner(owner, { color: null, logo })).rejects.toMatchObject({ code: "validation_failed" });
  expect(await states()).toEqual([]);
});

it("nobody but an owner of this merchant changes it", async () => {
  const stranger = { ...owner, scope: (await makeMerchant()).scope };
  for (const caller of [await join("admin"), await join("developer", "finance"), stranger, merchant.context])
    await expect(setBrandByOwner(caller, { color: "#1b7f5c" })).rejects.toMatchObject({ code: "forbidden" });
  expect(await states()).toEqual([]);
});
