// What a planted violation is, and the words that most of them share.

export interface Plant {
  readonly what: string;
  /** The invariants that must name it, the one it is meant for first; all others must stay silent. */
  readonly breaks: readonly string[];
  readonly sql: string;
}

/** One row of the table, by its primary key, as the target of an UPDATE or DELETE. */
export function one(table: string, condition: string): string {
  return `ctid = (SELECT ctid FROM ${table} WHERE ${condition} ORDER BY ctid LIMIT 1)`;
}

/** Books from one account to another of the intent's wallet, properly but for its reason. */
export function book(table: string, condition: string, reason: string, from: string, to: string, amount = "1"): string {
  const currency = table === "topup_intent" ? "destination_currency" : "currency";
  return `SELECT plant_booking(merchant_id, environment, ${currency}, id, '${reason}', '${from}', '${to}', ${amount})
          FROM ${table} WHERE ${condition} ORDER BY id LIMIT 1`;
}
