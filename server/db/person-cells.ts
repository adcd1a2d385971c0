// The directory of people, in the first cell: in which further cells an address or an identity may be known. It has keyed
// digests only. And the members that a cell itself knows, with whom the directory is compared.
import { queryAcrossMerchants } from "./client";

/** The tags of the further cells that are noted for any of the digests. */
export async function findCellTags(people: readonly string[]): Promise<string[]> {
  const rows = await queryAcrossMerchants<{ tag: string }>(
    "SELECT DISTINCT cell_tag AS tag FROM person_cell WHERE person = ANY($1)",
    people,
  );
  return rows.map(({ tag }) => tag);
}

/** Notes the cell for each digest, unless it is noted already. */
export async function insertPersonCells(people: readonly string[], tag: string): Promise<void> {
  await queryAcrossMerchants(
    "INSERT INTO person_cell (person, cell_tag) SELECT unnest($1::text[]), $2 ON CONFLICT DO NOTHING",
    people,
    tag,
  );
}

interface Keys {
  /** The id of the key that rows are made with now. */
  readonly current: string;
  /** The ids of all keys that are known. */
  readonly known: readonly string[];
}

/** Processes that know another key first may still be running for so long after the key changed. */
const KEY_CHANGES_WITHIN = "1 hour";
const UNKNOWN_KEYS_STAY = "1 day";

/** Deletes the cell's rows under keys that are no longer current, once all rows were made with the current one for a while. */
export async function deleteOldPersonCells(tag: string, { current, known }: Keys): Promise<void> {
  await queryAcrossMerchants(
    `DELETE FROM person_cell WHERE cell_tag = $1 AND left(person, 8) <> $2
       AND (left(person, 8) = ANY($3) OR noted_at < now() - interval '${UNKNOWN_KEYS_STAY}')
       AND EXISTS (SELECT FROM person_cell n WHERE n.cell_tag = $1 AND left(n.person, 8) = $2
                     AND n.noted_at < now() - interval '${KEY_CHANGES_WITHIN}')`,
    tag,
    current,
    known,
  );
}

/** A member as the cell knows them. */
export interface KnownPerson {
  readonly merchantId: string;
  readonly id: string;
  readonly email: string;
  readonly identities: readonly { readonly issuer: string; readonly subject: string }[];
}

/** The members of the running work's cell behind that one, in the order of merchants. */
export function findPeopleAcrossMerchants(
  after: Pick<KnownPerson, "merchantId" | "id">,
  limit: number,
): Promise<KnownPerson[]> {
  return queryAcrossMerchants<KnownPerson>(
    `SELECT m.merchant_id AS "merchantId", m.id, m.email,
            coalesce((SELECT json_agg(json_build_object('issuer', i.issuer, 'subject', i.subject)) FROM member_identity i
                      WHERE i.merchant_id = m.merchant_id AND i.member_id = m.id), '[]') AS identities
     FROM member m WHERE (m.merchant_id, m.id) > ($1, $2) ORDER BY m.merchant_id, m.id LIMIT $3`,
    after.merchantId,
    after.id,
    limit,
  );
}
