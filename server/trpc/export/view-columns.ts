// Which columns of a file a view of a list shows.

/** The columns of a file for each column of a list, by its name in the address. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  status: ["status"],
  country: ["country"],
  recipient: ["recipient_holder_name", "recipient_account_last4", "recipient_bank_code"],
  payment_method: ["payment_method"],
  source: ["source_amount_minor_units", "source_amount", "source_currency", "rate"],
  credited_amount: ["credited_amount_minor_units", "credited_amount"],
  merchant_reference: ["merchant_reference"],
  failure_code: ["failure_code", "failure_message"],
  created_at: ["created_at", "updated_at"],
};

/** What identifies a row, which a view always shows. */
const FIXED = [
  "id",
  "amount_minor_units",
  "amount",
  "currency",
  "destination_amount_minor_units",
  "destination_amount",
  "destination_currency",
];

type Cell = readonly [column: string, cell: string];

/** The cells of a row that the view of these columns shows, in the order of the file; all if it names none that is known. */
export function cellsOfView(cells: readonly Cell[], names: readonly string[]): readonly Cell[] {
  const shown = names.flatMap((name) => (Object.hasOwn(PARTS, name) ? (PARTS[name] ?? []) : []));
  if (shown.length === 0) return cells;
  const columns = new Set([...FIXED, ...shown]);
  return cells.filter(([column]) => columns.has(column));
}
