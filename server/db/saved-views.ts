// The views that members keep of lists. Each change is made under a lock of its member: none races another.
import type { SavedView, ViewShelf } from "@/server/domain/saved-view";
import type { Environment } from "@/server/domain/scope";
import { inTransaction, prisma } from "./client";
import type { Transaction } from "./transaction";

/** Whose view, and of which environment: an id of any other is unknown. */
export interface ViewOwner {
  readonly merchantId: string;
  readonly memberId: string;
  readonly environment: Environment;
}

interface ViewName {
  readonly name: string;
  /** What no other name of the shelf may have in common with it. */
  readonly nameKey: string;
}

const SHOWN = { id: true, name: true, query: true } as const;

/** The views of a shelf, by name. */
export function findViews({ merchantId, memberId, environment, list }: ViewShelf): Promise<SavedView[]> {
  return prisma().savedView.findMany({
    where: { merchantId, memberId, environment, list },
    select: SHOWN,
    orderBy: { nameKey: "asc" },
  });
}

/** Runs the work while nobody else changes views of the member. */
function alone<Result>(
  { merchantId, memberId }: ViewOwner,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(async (transaction) => {
    await transaction.query(
      "SELECT id FROM member WHERE merchant_id = $1 AND id = $2 FOR NO KEY UPDATE",
      merchantId,
      memberId,
    );
    return work(transaction);
  });
}

/** Stores a view, unless its name is taken or the shelf holds `maximum` already. */
export function insertView(
  shelf: ViewShelf,
  view: SavedView & ViewName,
  maximum: number,
): Promise<SavedView | "taken" | "full"> {
  const { merchantId, memberId, environment, list } = shelf;
  const ofShelf = [merchantId, memberId, environment, list];
  return alone(shelf, async (transaction) => {
    const names = await transaction.query<{ name_key: string }>(
      "SELECT name_key FROM saved_view WHERE merchant_id = $1 AND member_id = $2 AND environment = $3 AND list = $4",
      ...ofShelf,
    );
    if (names.some(({ name_key }) => name_key === view.nameKey)) return "taken";
    if (names.length >= maximum) return "full";
    const { id, name, nameKey, query } = view;
    await transaction.query(
      `INSERT INTO saved_view (merchant_id, member_id, environment, list, id, name, name_key, query)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      ...ofShelf,
      id,
      name,
      nameKey,
      query,
    );
    return { id, name, query };
  });
}

/** Renames a view, unless the name is taken; returns null if the owner has no such view. */
export function renameView(owner: ViewOwner, id: string, named: ViewName): Promise<SavedView | "taken" | null> {
  const { merchantId, memberId, environment } = owner;
  return alone(owner, async (transaction) => {
    const [view] = await transaction.query<{ is_taken: boolean }>(
      `SELECT EXISTS (
         SELECT FROM saved_view o WHERE o.merchant_id = v.merchant_id AND o.member_id = v.member_id
           AND o.environment = v.environment AND o.list = v.list AND o.name_key = $5 AND o.id <> v.id) AS is_taken
       FROM saved_view v WHERE merchant_id = $1 AND member_id = $2 AND environment = $3 AND id = $4`,
      merchantId,
      memberId,
      environment,
      id,
      named.nameKey,
    );
    if (!view) return null;
    if (view.is_taken) return "taken";
    const [renamed] = await transaction.query<SavedView>(
      "UPDATE saved_view SET name = $3, name_key = $4 WHERE merchant_id = $1 AND id = $2 RETURNING id, name, query",
      merchantId,
      id,
      named.name,
      named.nameKey,
    );
    return renamed ?? null;
  });
}

/** Forgets a view; false where the owner has no such view. */
export async function deleteView({ merchantId, memberId, environment }: ViewOwner, id: string): Promise<boolean> {
  const { count } = await prisma().savedView.deleteMany({ where: { merchantId, memberId, environment, id } });
  return count > 0;
}
