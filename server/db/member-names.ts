// What members are called.
import { type Act, recordChange } from "./audit/record";
import { inTransaction } from "./client";
import type { MemberKey } from "./member-settings";

/** Stores the name of an active member, with an audit entry if it changes. Returns false without such a member. */
export async function storeName({ merchantId, id }: MemberKey, name: string | null, act: Act): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const [member] = await transaction.query<{ name: string | null }>(
      "SELECT name FROM member WHERE merchant_id = $1 AND id = $2 AND disabled_at IS NULL FOR UPDATE",
      merchantId,
      id,
    );
    if (!member) return false;
    if (member.name === name) return true;
    await transaction.query("UPDATE member SET name = $3 WHERE merchant_id = $1 AND id = $2", merchantId, id, name);
    const change = { merchantId, environment: null, action: "member.change_name", objectId: id };
    await recordChange(transaction, { ...change, before: { name: member.name }, after: { name } }, act);
    return true;
  });
}
