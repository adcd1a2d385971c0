// What the operator is notified of in a cell. Registrations of the operator belong to a cell, and do not move with a merchant.
import { NOBODY } from "@/server/domain/exceptions";
import type { Owner } from "./owner";

/** One type of notification that the operator receives by a channel. */
export interface OperatorsNotification {
  readonly environment: string;
  readonly channel: string;
  readonly type: string;
}

/** Reads them from the cell's database, each once. */
export function readOperatorsNotifications(owner: Owner): Promise<OperatorsNotification[]> {
  return owner.query<OperatorsNotification>(
    `SELECT DISTINCT environment, channel, type FROM notification_registration r, unnest(r.types) AS type
     WHERE merchant_id = $1 ORDER BY 1, 2, 3`,
    NOBODY,
  );
}
