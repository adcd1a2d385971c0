// What the operator is notified of in a cell. Registrations of the operator belong to a cell, and do not move with a merchant.
import { NOBODY } from "@/server/domain/exceptions";
import type { Owner } from "./owner";

/** One type of notification that the operator receives by a channel. */
export interface OperatorsNotification {
  /** The registration's. */
  readonly id: string;
  readonly environment: string;
  readonly channel: string;
  readonly type: string;
  /** The mail address; null for a channel with a URL. */
  readonly address: string | null;
  readonly urlSealed: string | null;
}

/** Reads them from the cell's database. */
export function readOperatorsNotifications(owner: Owner): Promise<OperatorsNotification[]> {
  return owner.query<OperatorsNotification>(
    `SELECT id, environment, channel, type, address, url_sealed AS "urlSealed"
     FROM notification_registration r, unnest(r.types) AS type
     WHERE merchant_id = $1 ORDER BY environment, channel, type, id`,
    NOBODY,
  );
}
