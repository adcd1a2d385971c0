// What the operator is notified of in a cell. Registrations of the operator belong to a cell, and do not move with a merchant.
import { NOBODY } from "@/server/domain/exceptions";
import type { Owner } from "./owner";

/** One type of notification that the operator receives by a channel. */
export interface OperatorsNotification {
  readonly environment: string;
  readonly channel: string;
  readonly type: string;
  /** The mail address; null for a channel whose address is sealed. */
  readonly address: string | null;
  /** How many registrations there are of it: sealed addresses differ from cell to cell, so their number is compared. */
  readonly count: number;
}

/** Reads them from the cell's database, each once. */
export function readOperatorsNotifications(owner: Owner): Promise<OperatorsNotification[]> {
  return owner.query<OperatorsNotification>(
    `SELECT environment, channel, type, lower(address) AS address, count(*)::int AS count
     FROM notification_registration r, unnest(r.types) AS type
     WHERE merchant_id = $1 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    NOBODY,
  );
}
