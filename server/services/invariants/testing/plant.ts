// The type of planted violations, and shared SQL.

export interface Plant {
  readonly what: string;
  /** The invariants that must report it, the intended one first; no others may. */
  readonly breaks: readonly string[];
  readonly sql: string;
}

/** Returns a condition that selects one row of the table by its primary key, for UPDATE or DELETE. */
export function one(table: string, condition: string): string {
  return `ctid = (SELECT ctid FROM ${table} WHERE ${condition} ORDER BY ctid LIMIT 1)`;
}

/** Returns SQL that books from one account to another of the intent's wallet, correct except for its reason. */
export function book(table: string, condition: string, reason: string, from: string, to: string, amount = "1"): string {
  const currency = table === "topup_intent" ? "destination_currency" : "currency";
  return `SELECT plant_booking(merchant_id, environment, ${currency}, id, '${reason}', '${from}', '${to}', ${amount})
          FROM ${table} WHERE ${condition} ORDER BY id LIMIT 1`;
}
