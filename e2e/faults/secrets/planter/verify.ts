// Opens every sealed value of the database with the secrets of this process, and compares it with what was planted.
import { query } from "@/server/db/client";
import { openAccount } from "@/server/services/account-numbers";
import { openRecipientAccount } from "@/server/services/recipients/accounts";
import { openTotpSecret } from "@/server/services/sign-in/totp-secret";
import { openSecret } from "@/server/services/webhooks/secrets";
import { numberOf } from "./number";

interface Row {
  readonly merchantId: string;
  readonly id: string;
  readonly sealed: string;
}

export interface Verified {
  /** Values that are what was planted, or that nobody planted. */
  readonly readable: number;
  readonly unreadable: number;
  /** Values that are not what was planted. */
  readonly different: number;
}

const PAGE = 5_000;

/** How each kind of value is opened. */
const OPENED: readonly {
  readonly table: string;
  readonly id: string;
  readonly column: string;
  readonly open: (row: Row) => string;
}[] = [
  {
    table: "payout_intent",
    id: "id",
    column: "account_sealed",
    open: ({ sealed, ...owner }) => openAccount({ ...owner, account: { sealed, digest: "" } }),
  },
  {
    table: "payout_recipient",
    id: "id",
    column: "account_sealed",
    open: ({ sealed, ...owner }) =>
      openRecipientAccount({ ...owner, accountSealed: sealed } as Parameters<typeof openRecipientAccount>[0]),
  },
  {
    table: "webhook_endpoint",
    id: "id",
    column: "secret_sealed",
    open: ({ merchantId, id, sealed }) => openSecret(merchantId, id, sealed),
  },
  {
    table: "member_totp",
    id: "member_id",
    column: "secret_sealed",
    open: ({ merchantId, id, sealed }) => openTotpSecret({ merchantId, memberId: id }, sealed),
  },
];

function openedOf(open: (row: Row) => string, row: Row): string | null {
  try {
    return open(row);
  } catch {
    return null;
  }
}

/** `planted` has the secrets by the id of their row; those of other recipients without a name follow from the seed. */
export async function verifySecrets(seed: string, planted: ReadonlyMap<string, string>): Promise<Verified> {
  let [readable, unreadable, different] = [0, 0, 0];
  for (const { table, id, column, open } of OPENED) {
    for (let after = ""; ; ) {
      const rows = await query<Row & { many: boolean }>(
        `SELECT merchant_id AS "merchantId", ${id} AS id, ${column} AS sealed,
                ${table === "payout_recipient" ? "holder_name = 'Many'" : "false"} AS many
         FROM ${table} WHERE ${id} > $1 AND ${column} IS NOT NULL ORDER BY ${id} LIMIT ${PAGE}`,
        after,
      );
      const last = rows.at(-1);
      if (!last) break;
      after = last.id;
      for (const { many, ...row } of rows) {
        const opened = openedOf(open, row);
        const expected = many ? numberOf(seed, row.id) : (planted.get(row.id) ?? opened);
        if (opened === null) unreadable += 1;
        else if (opened !== expected) different += 1;
        else readable += 1;
      }
    }
  }
  return { readable, unreadable, different };
}
