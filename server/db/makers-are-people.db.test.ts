// The migration that makes makers people: what it makes of the payouts, members and audit log of the previous version.
import { readFile } from "node:fs/promises";
import { Client } from "pg";
import { expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { createApiKey } from "@/server/services/api-keys/create";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { addMember, changeRoles, resetPassword } from "@/server/services/members/manage";
import { operatorContext } from "@/server/services/merchants/operator";
import { approvePayoutIntent } from "@/server/services/payouts/approve";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { makeMerchant, payout } from "@/server/testing/merchant";

const MIGRATION = new URL("../../prisma/migrations/20261123010000_makers_are_people/migration.sql", import.meta.url);

const UNDO = `
  DROP FUNCTION keep_second_person, restart_authority, fill_makers, is_maker, makers_of, may_approve CASCADE;
  ALTER TABLE member DROP COLUMN authority_test_from, DROP COLUMN authority_live_from;
  ALTER TABLE merchant DROP COLUMN authority_cool_down_seconds;
  ALTER TABLE payout_intent DROP COLUMN makers CASCADE;`;

it("the migration finds the makers of open payouts, and since when each member has authority", async () => {
  const merchant = await makeMerchant();
  const { merchantId } = merchant;
  const operator = operatorContext(merchantId, "test");
  const owner = merchant.byMember();
  const add = (by: CallContext, ...roles: string[]) =>
    addMember(by, { email: `${newId("request")}@shop.example`, roles }, "correct horse battery");
  const create = async (context: CallContext) =>
    (await createPayoutIntent(context, payout(), withoutIdempotency())).intent.id;

  const byKey = await create({ ...owner, actor: { type: "api_key", id: (await createApiKey(owner, "Mine")).id } });
  const byMember = await create(owner);
  const byUnknown = await create({ ...owner, actor: { type: "api_key", id: newId("apiKey") } });
  const left = await create(merchant.context);
  await approvePayoutIntent(merchant.byMember(), { id: left });
  // As in the previous version, where no second person was needed.
  const setOthers = (disabledAt: string) =>
    query(
      `UPDATE member SET disabled_at = ${disabledAt} WHERE merchant_id = $1 AND id <> $2`,
      merchantId,
      owner.actor.id,
    );
  await query("UPDATE merchant SET authority_cool_down_seconds = 0 WHERE id = $1", merchantId);
  await setOthers("now()");
  const [byOperator, invited, promoted, reset] = [
    await add(operator, "approver"),
    await add(owner, "approver"),
    await add(operator, "finance"),
    await add(operator, "owner"),
  ];
  await setOthers("now()");
  await changeRoles(owner, promoted, ["finance", "approver"]);
  await changeRoles(owner, invited, ["approver", "finance"]);
  await resetPassword(owner, reset);
  await setOthers("NULL");

  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query(UNDO);
    await client.query(await readFile(MIGRATION, "utf8"));
    const payouts = await client.query<{ id: string; makers: string[] | null }>(
      "SELECT id, makers FROM payout_intent WHERE merchant_id = $1",
      [merchantId],
    );
    const makersOf = new Map(payouts.rows.map(({ id, makers }) => [id, makers]));
    expect([makersOf.get(byKey), makersOf.get(byMember), makersOf.get(left)]).toEqual([
      [owner.actor.id],
      [owner.actor.id],
      null,
    ]);
    const unknown = makersOf.get(byUnknown);
    expect([unknown?.includes(owner.actor.id), unknown?.includes(reset), unknown?.includes(invited)]).toEqual([
      true,
      true,
      false,
    ]);
    const { rows } = await client.query<{ id: string; waits: number; since: string | null }>(
      `SELECT m.id, extract(epoch FROM authority_live_from - authority_test_from)::int AS waits,
              (SELECT a.action FROM audit_entry a
               WHERE a.merchant_id = m.merchant_id AND a.object_id = m.id AND a.created_at = m.authority_test_from
               ORDER BY a.created_at DESC LIMIT 1) AS since
       FROM member m WHERE merchant_id = $1`,
      [merchantId],
    );
    const authorityOf = new Map(rows.map(({ id, waits, since }) => [id, [since, waits]]));
    expect([byOperator, invited, promoted, reset].map((id) => authorityOf.get(id))).toEqual([
      ["member.create", 0],
      ["member.create", 86_400],
      ["member.change_roles", 86_400],
      ["member.reset_password", 86_400],
    ]);
  } finally {
    await client.query("ROLLBACK");
    await client.end();
  }
});
