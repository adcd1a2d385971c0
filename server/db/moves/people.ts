// The people of a merchant that moves, for the directory of people.
import type { KnownPerson } from "../person-cells";
import type { Owner } from "./owner";

/** The names by which the merchant's members sign in. */
export function listPeople(owner: Owner, merchantId: string): Promise<Pick<KnownPerson, "email" | "identities">[]> {
  return owner.query(
    `SELECT m.email, coalesce((SELECT json_agg(json_build_object('issuer', i.issuer, 'subject', i.subject))
                               FROM member_identity i
                               WHERE (i.merchant_id, i.member_id) = (m.merchant_id, m.id)), '[]') AS identities
     FROM member m WHERE m.merchant_id = $1`,
    merchantId,
  );
}
