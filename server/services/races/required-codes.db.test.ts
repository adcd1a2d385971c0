// Admins who change what codes are required for at the same moment: the audit trail leads to what is stored.
import { beforeAll, describe, expect, it, vi } from "vitest";
import { sizeOf } from "@/e2e/support/tier";
import { query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { requireCodesToSignIn } from "../sign-in/required-codes";
import { setStepUp } from "../sign-in/step-up";

const TRIALS = sizeOf({ representative: 300, deep: 3_000 });
const ADMINS = 4;

/** The tests wait for no timer, but many trials take long on a busy machine. */
vi.setConfig({ testTimeout: 3_600_000 });

let merchant: TestMerchant;
beforeAll(async () => {
  merchant = await makeMerchant();
});

/** A setting of the merchant: how the n-th admin of a trial changes it, and its column. */
interface Setting {
  readonly action: string;
  readonly column: string;
  readonly start: unknown;
  set(context: CallContext, trial: number, n: number): Promise<unknown>;
}

const ACTS = [["approve"], ["approve", "policies"], [], ["settle"]];

const SETTINGS: Readonly<Record<string, Setting>> = {
  "codes to sign in": {
    action: "merchant.set_sign_in_codes",
    column: "totp_required_to_sign_in",
    start: false,
    set: (context, trial, n) => requireCodesToSignIn(context, (trial + n) % 2 === 0),
  },
  "codes for acts": {
    action: "merchant.set_totp",
    column: "totp_required_for",
    start: [],
    set: (context, trial, n) => setStepUp(context, ACTS[(trial + n) % ACTS.length] ?? []),
  },
};

interface Entry {
  readonly actor_id: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
}

function entriesOf({ action }: Setting): Promise<Entry[]> {
  return query<Entry>(
    "SELECT actor_id, before, after, created_at FROM audit_entry WHERE merchant_id = $1 AND action = $2 ORDER BY id",
    merchant.merchantId,
    action,
  );
}

async function storedOf({ column }: Setting): Promise<unknown> {
  const [row] = await query<{ value: unknown }>(
    `SELECT to_jsonb(${column}) AS value FROM merchant WHERE id = $1`,
    merchant.merchantId,
  );
  return row?.value;
}

describe.each(Object.entries(SETTINGS))("%s", (_, setting) => {
  it(`changed by ${ADMINS} admins at once, ${TRIALS} times: each change has an entry, and the last one's value is stored`, async () => {
    for (let trial = 0; trial < TRIALS; trial += 1) {
      await Promise.all(Array.from({ length: ADMINS }, (_, n) => setting.set(merchant.byMember(), trial, n)));
    }
    const entries = await entriesOf(setting);
    const values = entries.map(({ after }) => after[setting.column]);
    expect(entries.map(({ before }) => before[setting.column])).toEqual([setting.start, ...values.slice(0, -1)]);
    expect(await storedOf(setting)).toEqual(values.at(-1));
    expect(entries.length).toBeGreaterThanOrEqual(TRIALS);
    expect(new Set(entries.map(({ actor_id: actor }) => actor)).size).toBeGreaterThan(1);
    const times = entries.map(({ created_at: at }) => at.getTime());
    expect(times.filter((at, n) => n > 0 && at < (times[n - 1] ?? 0))).toEqual([]);
    await requireInvariants();
  });
});
