// The overview reads only what is not added up yet, however long the audit chain is.
import { afterAll, expect, it } from "vitest";
import { withinMerchant } from "@/server/platform/reach";
import { makeMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { disconnect } from "../client";
import { rowsReadBy } from "../testing/rows-read";
import { ENDS } from "./read";

const LINKS = 20_000;
const UNFOLDED = 10;

afterAll(disconnect);

it("links below the mark are not read", async () => {
  const { merchantId } = await makeMerchant();
  await queryAsOwner(`
    SET session_replication_role = replica;
    INSERT INTO audit_link (merchant_id, sequence, entry_id, hash, key_id, linked_at)
    SELECT '${merchantId}', 1000 + n, 'aud_' || n, repeat('a', 64), 'k1', now() FROM generate_series(1, ${LINKS}) n;
    INSERT INTO figure_mark (merchant_id, last_sequence) VALUES ('${merchantId}', ${1000 + LINKS - UNFOLDED})
    ON CONFLICT (merchant_id) DO UPDATE SET last_sequence = EXCLUDED.last_sequence;
    ANALYZE audit_link`);
  const days = [new Date("2026-11-01T00:00:00Z"), new Date("2026-11-02T00:00:00Z")];
  const { read } = await withinMerchant(merchantId, () => rowsReadBy(ENDS, merchantId, "test", [], days, 1_000));
  expect(read).toBeLessThan(LINKS / 10);
});
