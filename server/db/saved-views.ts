// The views that members keep of lists. Each change is made under a lock of its member: none races another.
import type { SavedView, ViewShelf } from "@/server/domain/saved-view";
import type { Environment } from "@/server/domain/scope";
import { prisma } from "./client";
import type { Prisma } from "./generated/client";

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
  work: (transaction: Prisma.TransactionClient) => Promise<Result>,
): Promise<Result> {
  return prisma().$transaction(async (transaction) => {
    await transaction.$queryRawUnsafe(
      "SELECT id FROM member WHERE merchant_id = $1 AND id = $2 FOR NO KEY UPDATE",
      merchantId,
      memberId,
    );
    return work(transaction);
  });
}

/** Keeps a view, unless its name is taken or the shelf holds `maximum` already. */
export function insertView(
  shelf: ViewShelf,
  view: SavedView & ViewName,
  maximum: number,
): Promise<SavedView | "taken" | "full"> {
  const { merchantId, memberId, environment, list } = shelf;
  const where = { merchantId, memberId, environment, list };
  return alone(shelf, async ({ savedView }) => {
    if (await savedView.findFirst({ where: { ...where, nameKey: view.nameKey } })) return "taken";
    if ((await savedView.count({ where })) >= maximum) return "full";
    return savedView.create({ data: { ...where, ...view }, select: SHOWN });
  });
}

/** Renames a view, unless the name is taken; returns null if the owner has no such view. */
export function renameView(owner: ViewOwner, id: string, named: ViewName): Promise<SavedView | "taken" | null> {
  const { merchantId, memberId, environment } = owner;
  return alone(owner, async ({ savedView }) => {
    const view = await savedView.findFirst({ where: { merchantId, memberId, environment, id } });
    if (!view) return null;
    const sameShelf = { merchantId, memberId, environment, list: view.list };
    const other = await savedView.findFirst({ where: { ...sameShelf, nameKey: named.nameKey, NOT: { id } } });
    if (other) return "taken";
    return savedView.update({ where: { merchantId_id: { merchantId, id } }, data: { ...named }, select: SHOWN });
  });
}

/** Forgets a view; false where the owner has no such view. */
export async function deleteView({ merchantId, memberId, environment }: ViewOwner, id: string): Promise<boolean> {
  const { count } = await prisma().savedView.deleteMany({ where: { merchantId, memberId, environment, id } });
  return count > 0;
}
