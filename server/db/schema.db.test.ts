import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rolesFor } from "@/server/domain/permissions";
import { openSchemaProbe, type SchemaProbe } from "./testing/schema-probe";
import { ROWS } from "./testing/schema-rows";
import { TERMINAL_STATES } from "./testing/schema-terminal-states";

let probe: SchemaProbe;
beforeAll(async () => {
  probe = await openSchemaProbe(process.env.DATABASE_URL);
});
beforeEach(() => probe.clear());
afterAll(() => probe.close());

const INTENTS = ["payment_intent", "payout_intent", "topup_intent"];

/** Columns of the three kinds that say what an intent is about. */
const IDENTITY: Readonly<Record<string, string>> = {
  payment_intent: "merchant_id id environment amount currency country merchant_reference payment_method created_at",
  payout_intent:
    "merchant_id id environment amount currency country merchant_reference recipient_type recipient_last4 " +
    "recipient_bank_code recipient_holder_name approvals_required policy_version daily_total_below created_by_type " +
    "created_by_id created_at",
  topup_intent:
    "merchant_id id environment country merchant_reference destination_amount destination_currency rate " +
    "spread_amount source_type source_amount source_currency fee_amount fee_mode overpayment underpayment " +
    "late_payment created_at",
};

/** SQL for another value than the column's, whatever its type. */
function otherValue(column: string, value: unknown): string {
  if (column === "created_at") return `${column} - interval '1 second'`;
  return typeof value === "number" || column === "rate" ? `${column} + 1` : `${column} || 'X'`;
}

describe("tables that are not emptied", () => {
  it("every table refuses TRUNCATE, also through a foreign key", async () => {
    const tables = await probe.run<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
         AND relname <> '_prisma_migrations'`,
    );
    expect(tables.length).toBeGreaterThanOrEqual(36);
    for (const { name } of tables) {
      const rule = await probe.refusedBy(() => probe.run(`TRUNCATE ${name} CASCADE`));
      expect([name, rule]).toEqual([name, `${name}_is_not_truncated`]);
    }
  });
});

describe("rows that do not change", () => {
  it.each(INTENTS)("a terminal %s can neither be changed nor deleted", async (table) => {
    for (const state of TERMINAL_STATES[table] ?? []) {
      for (const change of [
        `UPDATE ${table} SET revision = revision + 1`,
        `UPDATE ${table} SET id = id`,
        `DELETE FROM ${table}`,
      ]) {
        const rule = await probe.refusedBy(async () => {
          await probe.insert(table, state);
          await probe.run(change);
        });
        expect([state.status, change, rule]).toEqual([state.status, change, `${table}_terminal_is_final`]);
      }
    }
  });

  it.each(INTENTS)("an open %s moves into each terminal state", async (table) => {
    for (const { status, ...state } of TERMINAL_STATES[table] ?? []) {
      const columns = Object.keys(state);
      const assignments = columns.map((column, n) => `, ${column} = $${n + 2}`).join("");
      const isDispatched = table === "payout_intent" && status !== "cancelled";
      const rule = await probe.refusedBy(async () => {
        await probe.insert(table, isDispatched ? { status: "processing", approvals_required: 0 } : {});
        await probe.run(`UPDATE ${table} SET status = $1${assignments}`, [status, ...Object.values(state)]);
      });
      expect([status, rule]).toEqual([status, "nothing"]);
    }
  });

  it.each(INTENTS)("what a %s is about is fixed at its creation", async (table) => {
    for (const column of (IDENTITY[table] ?? "").split(" ")) {
      const rule = await probe.refusedBy(async () => {
        await probe.insert(table);
        await probe.run(`UPDATE ${table} SET ${column} = ${otherValue(column, ROWS[table]?.[column])}`);
      });
      expect([column, rule]).toEqual([column, `${table}_identity_is_fixed`]);
    }
  });

  it.each(INTENTS)("the reference of a %s at its provider is fixed at its creation", async (table) => {
    await probe.insert(table);
    const reference = `substr(id, 1, 5) || repeat('0', 8) || '_' || repeat('0', 26)`;
    expect(await probe.refusedBy(() => probe.run(`UPDATE ${table} SET dispatch_reference = ${reference}`))).toBe(
      `${table}_identity_is_fixed`,
    );
  });

  it("what a payer reads and where the payer goes are fixed at a payment's creation", async () => {
    for (const column of ["description", "return_url"]) {
      const rule = await probe.refusedBy(async () => {
        await probe.insert("payment_intent");
        await probe.run(`UPDATE payment_intent SET ${column} = 'https://other.example/'`);
      });
      expect([column, rule]).toEqual([column, "payment_intent_identity_is_fixed"]);
    }
  });

  it("the key of derived references is fixed once it is set, and stays", async () => {
    await probe.insert("installation");
    await probe.run("UPDATE installation SET reference_key_id = 'k', references_derived_at = now()");
    const unset = () => probe.run("UPDATE installation SET reference_key_id = NULL, references_derived_at = NULL");
    expect(await probe.refusedBy(unset)).toBe("installation_reference_key_is_fixed");
    expect(await probe.refusedBy(() => probe.run("DELETE FROM installation"))).toBe("installation_stays");
  });

  it("which cell the database is stays fixed once it is one of several, and is stored whole", async () => {
    await probe.insert("installation");
    const half = () => probe.run("UPDATE installation SET cell = 'eu2', cell_tag = 'e2'");
    expect(await probe.refusedBy(half)).toBe("installation_cell_whole");
    await probe.run("UPDATE installation SET cell = 'eu2', cell_tag = 'e2', cells_id = 'one'");
    for (const change of ["cell = 'main'", "cell_tag = ''", "cells_id = 'other'"]) {
      const rule = await probe.refusedBy(() => probe.run(`UPDATE installation SET ${change}`));
      expect([change, rule]).toEqual([change, "installation_cell_is_fixed"]);
    }
  });

  it("a pause of dispatch stays with its fact, and is ended once", async () => {
    await probe.insert("dispatch_pause");
    const change = () => probe.run("UPDATE dispatch_pause SET reason = 'Another.'");
    expect(await probe.refusedBy(change)).toBe("dispatch_pause_is_fixed");
    const end = "resumed_at = now(), resumed_by = 'operator:cli', resume_reason = 'Done.'";
    await probe.run(`UPDATE dispatch_pause SET ${end}`);
    expect(await probe.refusedBy(() => probe.run(`UPDATE dispatch_pause SET ${end}`))).toBe("dispatch_pause_is_fixed");
    expect(await probe.refusedBy(() => probe.run("DELETE FROM dispatch_pause"))).toBe("dispatch_pause_stays");
  });

  it("a payout's account can be sealed again after a key rotation", async () => {
    await probe.insert("payout_intent");
    await probe.run("UPDATE payout_intent SET account_sealed = 'k2.sealed', account_digest = 'k2.digest'");
  });

  it.each(["audit_entry", "audit_link", "event", "approval", "topup_total", "topup_callback"])(
    "%s is append-only",
    async (table) => {
      await probe.insertWithNeeds(table);
      const rule = `${table}_is_append_only`;
      expect(await probe.refusedBy(() => probe.run(`UPDATE ${table} SET merchant_id = merchant_id`))).toBe(rule);
      expect(await probe.refusedBy(() => probe.run(`DELETE FROM ${table}`))).toBe(rule);
    },
  );

  it.each(["hand_booked_line", "banked_line"])("%s, about lines of settlement files, is append-only", async (table) => {
    await probe.insert(table);
    const rule = `${table}_is_append_only`;
    expect(await probe.refusedBy(() => probe.run(`UPDATE ${table} SET environment = environment`))).toBe(rule);
    expect(await probe.refusedBy(() => probe.run(`DELETE FROM ${table}`))).toBe(rule);
  });

  it.each(["ledger_transaction", "ledger_entry"])("%s is append-only", async (table) => {
    expect(await probe.refusedAtCommit(() => probe.insertTransfer())).toBe("nothing");
    const rule = `${table}_is_append_only`;
    expect(await probe.refusedBy(() => probe.run(`UPDATE ${table} SET environment = environment`))).toBe(rule);
    expect(await probe.refusedBy(() => probe.run(`DELETE FROM ${table}`))).toBe(rule);
  });

  it("the end of an audit chain moves forward only, and stays", async () => {
    await probe.insert("audit_chain", { last_sequence: 5 });
    const move = (to: number) => () => probe.run(`UPDATE audit_chain SET last_sequence = ${to}`);
    expect(await probe.refusedBy(move(6))).toBe("nothing");
    expect(await probe.refusedBy(move(5))).toBe("audit_chain_moves_forward");
    expect(await probe.refusedBy(move(4))).toBe("audit_chain_moves_forward");
    expect(await probe.refusedBy(() => probe.run("DELETE FROM audit_chain"))).toBe("audit_chain_stays");
  });

  it("the result of an audit verification is replaced by later ones only", async () => {
    await probe.insert("audit_check");
    const move = (at: string) => () => probe.run(`UPDATE audit_check SET checked_at = '${at}'`);
    expect(await probe.refusedBy(move("2000-01-01"))).toBe("audit_check_moves_forward");
    expect(await probe.refusedBy(() => probe.run("DELETE FROM audit_check"))).toBe("audit_check_stays");
  });

  it("what was added up into figures moves forward only, and stays", async () => {
    await probe.insert("figure_mark", { last_sequence: 5 });
    const move = (to: number) => () => probe.run(`UPDATE figure_mark SET last_sequence = ${to}`);
    expect(await probe.refusedBy(move(6))).toBe("nothing");
    expect(await probe.refusedBy(move(5))).toBe("figure_mark_moves_forward");
    expect(await probe.refusedBy(() => probe.run("DELETE FROM figure_mark"))).toBe("figure_mark_stays");
  });

  it("a test merchant's clock moves forward only, and stays", async () => {
    await probe.insertWithNeeds("sandbox_clock", { offset_ms: 5 });
    const move = (to: number) => () => probe.run(`UPDATE sandbox_clock SET offset_ms = ${to}`);
    expect(await probe.refusedBy(move(6))).toBe("nothing");
    expect(await probe.refusedBy(move(4))).toBe("sandbox_clock_moves_forward");
    expect(await probe.refusedBy(() => probe.run("DELETE FROM sandbox_clock"))).toBe("sandbox_clock_stays");
  });

  it("an exception stays with its fact, can be taken on and resolved, and is then final", async () => {
    await probe.insert("exception");
    expect(await probe.refusedBy(() => probe.run("DELETE FROM exception"))).toBe("exception_stays");
    const rewrite = () => probe.run("UPDATE exception SET detail = '{}'");
    expect(await probe.refusedBy(rewrite)).toBe("exception_fact_is_fixed");
    await probe.run("UPDATE exception SET owner_id = 'mem_1'");
    await probe.run(`UPDATE exception SET resolution = 'Done.', resolved_at = now(), resolved_by_type = 'member',
                     resolved_by_id = 'mem_1'`);
    const reopen = () => probe.run("UPDATE exception SET owner_id = NULL");
    expect(await probe.refusedBy(reopen)).toBe("exception_resolution_is_final");
  });

  it("a settlement file is append-only; of its lines only an open verdict moves", async () => {
    await probe.insertWithNeeds("settlement_line");
    for (const change of ["UPDATE settlement_file SET name = name", "DELETE FROM settlement_file"])
      expect(await probe.refusedBy(() => probe.run(change))).toBe("settlement_file_is_append_only");
    expect(await probe.refusedBy(() => probe.run("DELETE FROM settlement_line"))).toBe("settlement_line_stays");
    const rewrite = () => probe.run("UPDATE settlement_line SET amount = 99");
    expect(await probe.refusedBy(rewrite)).toBe("settlement_line_content_is_fixed");
    const forget = () => probe.run("UPDATE settlement_line SET is_imported = false");
    expect(await probe.refusedBy(forget)).toBe("settlement_line_stays_imported");
    await probe.run("UPDATE settlement_line SET verdict = 'duplicate'");
    await probe.run("UPDATE settlement_line SET verdict = 'missing_internal'");
    await probe.run("UPDATE settlement_line SET verdict = 'fee'");
    const again = () => probe.run("UPDATE settlement_line SET verdict = 'missing_internal'");
    expect(await probe.refusedBy(again)).toBe("settlement_line_verdict_is_final");
  });

  it("a delivery stays, of one event to one endpoint; an attempt of it may go but never changes", async () => {
    await probe.insertWithNeeds("delivery_attempt");
    expect(await probe.refusedBy(() => probe.run("DELETE FROM delivery"))).toBe("delivery_stays");
    const redirect = () => probe.run("UPDATE delivery SET event_id = 'evt_2'");
    expect(await probe.refusedBy(redirect)).toBe("delivery_identity_is_fixed");
    const rewrite = () => probe.run("UPDATE delivery_attempt SET status = 200");
    expect(await probe.refusedBy(rewrite)).toBe("delivery_attempt_is_written_once");
    expect(await probe.refusedBy(() => probe.run("DELETE FROM delivery_attempt"))).toBe("nothing");
  });

  it("an endpoint stays where it is struck out, and does not come back", async () => {
    await probe.insertWithNeeds("webhook_endpoint");
    expect(await probe.refusedBy(() => probe.run("DELETE FROM webhook_endpoint"))).toBe("webhook_endpoint_stays");
    await probe.run("UPDATE webhook_endpoint SET deleted_at = now()");
    const revive = () => probe.run("UPDATE webhook_endpoint SET deleted_at = NULL");
    expect(await probe.refusedBy(revive)).toBe("webhook_endpoint_deletion_is_final");
  });

  it("a request in the log never changes, and goes when it is old", async () => {
    await probe.insert("api_log");
    expect(await probe.refusedBy(() => probe.run("UPDATE api_log SET status = 200"))).toBe("api_log_is_written_once");
    expect(await probe.refusedBy(() => probe.run("DELETE FROM api_log"))).toBe("nothing");
  });

  it("a one-time code that was used stays used", async () => {
    await probe.insertWithNeeds("member_totp");
    await probe.run("UPDATE member_totp SET last_step = 6");
    const again = () => probe.run("UPDATE member_totp SET last_step = 5");
    expect(await probe.refusedBy(again)).toBe("member_totp_step_moves_forward");
  });

  it("the counter of a passkey never goes back, and its key never changes", async () => {
    await probe.insertWithNeeds("member_passkey");
    const back = () => probe.run("UPDATE member_passkey SET counter = 4");
    expect(await probe.refusedBy(back)).toBe("member_passkey_counter_moves_forward");
    const swap = () => probe.run("UPDATE member_passkey SET public_key = '\\x01'");
    expect(await probe.refusedBy(swap)).toBe("member_passkey_content_is_fixed");
  });

  it("an identity never becomes another person's", async () => {
    await probe.insertWithNeeds("member_identity");
    const change = () => probe.run("UPDATE member_identity SET subject = 'other'");
    expect(await probe.refusedBy(change)).toBe("member_identity_is_never_changed");
  });

  it("a fresh sign-in is proved once, for the session that asked for it", async () => {
    await probe.insertWithNeeds("fresh_sign_in");
    const extend = () => probe.run("UPDATE fresh_sign_in SET created_at = created_at - interval '1 second'");
    expect(await probe.refusedBy(extend)).toBe("fresh_sign_in_is_proved_once");
    await probe.run("UPDATE fresh_sign_in SET proved_at = created_at");
    const again = () => probe.run("UPDATE fresh_sign_in SET proved_at = NULL");
    expect(await probe.refusedBy(again)).toBe("fresh_sign_in_is_proved_once");
  });

  it("a screening's verdict and the decision on a hold are final", async () => {
    await probe.insertWithNeeds("payout_screening");
    const soften = () => probe.run("UPDATE payout_screening SET verdict = 'allow'");
    expect(await probe.refusedBy(soften)).toBe("payout_screening_decision_is_final");
    const forget = () => probe.run("DELETE FROM payout_screening");
    expect(await probe.refusedBy(forget)).toBe("payout_screening_stays");
    const decide = "UPDATE payout_screening SET decision = 'refuse', decided_by_id = 'mem_2', decided_at = now()";
    await probe.run(decide);
    const again = () => probe.run("UPDATE payout_screening SET decision = 'release'");
    expect(await probe.refusedBy(again)).toBe("payout_screening_decision_is_final");
  });

  it("a saved recipient stays as it was saved, and is removed once", async () => {
    await probe.insertWithNeeds("payout_recipient");
    await probe.run("UPDATE payout_recipient SET account_sealed = 'k2.sealed'");
    for (const change of ["bank_code = '237'", "usable_from = created_at - interval '1 s'", "saved_by_id = 'mem_2'"]) {
      const rule = await probe.refusedBy(() => probe.run(`UPDATE payout_recipient SET ${change}`));
      expect([change, rule]).toEqual([change, "payout_recipient_content_is_fixed"]);
    }
    expect(await probe.refusedBy(() => probe.run("DELETE FROM payout_recipient"))).toBe("payout_recipient_stays");
    await probe.run("UPDATE payout_recipient SET removed_at = created_at");
    const restore = () => probe.run("UPDATE payout_recipient SET removed_at = NULL");
    expect(await probe.refusedBy(restore)).toBe("payout_recipient_content_is_fixed");
  });

  it("a payout names its saved recipient for good, and differs from it in nothing", async () => {
    await probe.insertWithNeeds("payout_recipient");
    const { holder_name, bank_code, country, currency, account_last4 } = ROWS.payout_recipient ?? {};
    const same = {
      recipient_id: "rcp_1",
      recipient_holder_name: holder_name,
      recipient_bank_code: bank_code,
      recipient_last4: account_last4,
      country,
      currency,
    };
    for (const difference of [
      { recipient_id: "rcp_2" },
      { recipient_holder_name: "Other" },
      { recipient_bank_code: "237" },
      { recipient_last4: "0000" },
      { country: "MX" },
      { currency: "MXN" },
    ]) {
      const rule = await probe.refusedBy(() => probe.insert("payout_intent", { ...same, ...difference }));
      expect([difference, rule]).toEqual([difference, "payout_recipient_is_usable"]);
    }
    await probe.insert("payout_intent", same);
    const swap = () => probe.run("UPDATE payout_intent SET recipient_id = NULL");
    expect(await probe.refusedBy(swap)).toBe("payout_intent_identity_is_fixed");
  });

  it("a challenge gets no more time", async () => {
    await probe.insert("passkey_challenge");
    const change = () => probe.run("UPDATE passkey_challenge SET expires_at = expires_at - interval '1 second'");
    expect(await probe.refusedBy(change)).toBe("passkey_challenge_is_never_changed");
  });

  it("a session that was ended stays ended", async () => {
    await probe.insertWithNeeds("member_session");
    await probe.run("UPDATE member_session SET revoked_at = now()");
    const revive = () => probe.run("UPDATE member_session SET revoked_at = NULL");
    expect(await probe.refusedBy(revive)).toBe("member_session_end_is_final");
  });

  it("a one-time link that was used stays used, and never gets another token or more time", async () => {
    await probe.insertWithNeeds("one_time_link");
    for (const change of [`token_hash = '${"1".repeat(64)}'`, "expires_at = expires_at + interval '1 hour'"])
      expect(await probe.refusedBy(() => probe.run(`UPDATE one_time_link SET ${change}`))).toBe(
        "one_time_link_is_used_once",
      );
    await probe.run("UPDATE one_time_link SET used_at = created_at");
    const again = () => probe.run("UPDATE one_time_link SET used_at = NULL");
    expect(await probe.refusedBy(again)).toBe("one_time_link_is_used_once");
  });

  it("a stored answer never changes, and goes with its key", async () => {
    await probe.insertWithNeeds("idempotency_seal");
    const change = () => probe.run("UPDATE idempotency_seal SET body = '[]'");
    expect(await probe.refusedBy(change)).toBe("idempotency_seal_is_written_once");
    await probe.run("DELETE FROM idempotency_key");
    expect(await probe.run("SELECT FROM idempotency_seal")).toEqual([]);
  });
});

describe("keys", () => {
  it("a second event for an intent is refused", async () => {
    await probe.insert("event");
    const second = () => probe.insert("event", { id: "evt_2", type: "payment_intent.expired", status: "expired" });
    expect(await probe.refusedBy(second)).toBe("event_merchant_id_intent_id_key");
  });

  it("a merchant reference is taken once per merchant, environment and kind", async () => {
    await probe.insert("payment_intent");
    const again = { id: "dord_2" };
    expect(await probe.refusedBy(() => probe.insert("payment_intent", again))).toBe(
      "payment_intent_merchant_id_environment_merchant_reference_key",
    );
    expect(await probe.refusedBy(() => probe.insert("payment_intent", { ...again, environment: "live" }))).toBe(
      "nothing",
    );
    expect(await probe.refusedBy(() => probe.insert("payment_intent", { ...again, merchant_id: "mer_2" }))).toBe(
      "nothing",
    );
    expect(await probe.refusedBy(() => probe.insert("payout_intent"))).toBe("nothing");
  });

  it("top-ups without a merchant reference do not collide", async () => {
    await probe.insert("topup_intent", { merchant_reference: null });
    await probe.insert("topup_intent", { id: "tuin_2", merchant_reference: null });
  });

  it("a ledger transaction is booked once per unique key, a seal once per key, a call once per ordinal", async () => {
    await probe.refusedAtCommit(() => probe.insertTransfer());
    expect(await probe.refusedBy(() => probe.insert("ledger_transaction", { id: "ltx_2" }))).toBe(
      "ledger_transaction_merchant_id_environment_unique_key_key",
    );
    await probe.insertWithNeeds("idempotency_seal");
    expect(await probe.refusedBy(() => probe.insert("idempotency_seal"))).toBe("idempotency_seal_pkey");
    await probe.insert("provider_attempt");
    expect(await probe.refusedBy(() => probe.insert("provider_attempt", { id: "att_2" }))).toBe(
      "provider_attempt_merchant_id_intent_id_ordinal_key",
    );
  });

  it("an event goes to an endpoint once; a place of the ten is held by one endpoint that exists", async () => {
    await probe.insertWithNeeds("delivery");
    const again = () => probe.insert("delivery", { id: "dlv_2" });
    expect(await probe.refusedBy(again)).toBe("delivery_merchant_id_event_id_endpoint_id_key");
    const other = { id: "we_2" };
    expect(await probe.refusedBy(() => probe.insert("webhook_endpoint", other))).toBe("webhook_endpoint_slot_key");
    for (const free of [{ slot: 2 }, { environment: "live" }, { deleted_at: "2026-01-02" }])
      expect(await probe.refusedBy(() => probe.insert("webhook_endpoint", { ...other, ...free }))).toBe("nothing");
  });

  it("a fact opens one exception per merchant and environment", async () => {
    await probe.insert("exception");
    const again = { id: "exc_2" };
    expect(await probe.refusedBy(() => probe.insert("exception", again))).toBe(
      "exception_merchant_id_environment_fact_key",
    );
    for (const other of [{ environment: "live" }, { merchant_id: "mer_2" }, { fact: "stuck:dord_2" }])
      expect(await probe.refusedBy(() => probe.insert("exception", { ...again, ...other }))).toBe("nothing");
  });

  it("a movement of the books is settled by one line of one settlement", async () => {
    await probe.refusedAtCommit(() => probe.insertTransfer());
    const matched = { verdict: "matched", merchant_id: "mer_schema", transaction_id: "ltx_1" };
    await probe.insertWithNeeds("settlement_line", matched);
    const again = { ...matched, digest: "1".repeat(64), line_id: "L2" };
    expect(await probe.refusedBy(() => probe.insert("settlement_line", again))).toBe("settlement_line_transaction_key");
    const unknown = { ...again, transaction_id: "ltx_2" };
    expect(await probe.refusedBy(() => probe.insert("settlement_line", unknown))).toBe(
      "settlement_line_transaction_fkey",
    );
  });

  it("an audit entry is linked once, and a sequence number has one link", async () => {
    await probe.insertWithNeeds("audit_link");
    const again = () => probe.insert("audit_link", { sequence: 2 });
    expect(await probe.refusedBy(again)).toBe("audit_link_merchant_id_entry_id_key");
    expect(await probe.refusedBy(() => probe.insert("audit_link", { entry_id: "aud_2" }))).toBe("audit_link_pkey");
  });

  it("no row can point at another merchant's", async () => {
    const foreign = { merchant_id: "mer_2" };
    await probe.insert("payout_intent");
    await probe.insert("merchant", { id: "mer_2" });
    await probe.insert("member", foreign);
    expect(await probe.refusedBy(() => probe.insert("approval", foreign))).toBe("approval_payout_fkey");
    await probe.insert("idempotency_key");
    expect(await probe.refusedBy(() => probe.insert("idempotency_seal", foreign))).toBe("idempotency_seal_key_fkey");
    await probe.insert("ledger_account");
    expect(await probe.refusedBy(() => probe.insert("ledger_entry", foreign))).toBe("ledger_entry_account_fkey");
    await probe.insert("ledger_account", foreign);
    expect(await probe.refusedBy(() => probe.insert("ledger_entry", foreign))).toBe("ledger_entry_transaction_fkey");
    await probe.insert("merchant");
    await probe.insert("webhook_endpoint");
    expect(await probe.refusedBy(() => probe.insert("delivery", foreign))).toBe("delivery_endpoint_fkey");
    expect(await probe.refusedBy(() => probe.insert("delivery"))).toBe("delivery_event_fkey");
    expect(await probe.refusedBy(() => probe.insert("delivery_attempt"))).toBe("delivery_attempt_delivery_fkey");
    expect(await probe.refusedBy(() => probe.insert("webhook_endpoint", { merchant_id: "mer_3" }))).toBe(
      "webhook_endpoint_merchant_fkey",
    );
    for (const table of [
      "merchant_brand",
      "merchant_currency",
      "api_key",
      "member",
      "approval_policy",
      "sandbox_clock",
    ])
      expect(await probe.refusedBy(() => probe.insert(table, { merchant_id: "mer_3" }))).toBe(
        `${table}_merchant_id_fkey`,
      );
    const session = () => probe.insert("member_session", { merchant_id: "mer_3" });
    expect(await probe.refusedBy(session)).toBe("member_session_merchant_id_member_id_fkey");
  });

  it("every unique key of merchant data starts with merchant_id", async () => {
    const rows = await probe.run<{ name: string }>(
      `SELECT c.relname AS name
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
       WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace AND a.attname IS DISTINCT FROM 'merchant_id'
         AND NOT c.relispartition AND c.relname NOT LIKE '\\_prisma%'
       ORDER BY c.relname`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      "api_key_public_key_key",
      "banked_line_pkey",
      "callback_channel_pkey",
      "dispatch_pause_pkey",
      "hand_booked_line_pkey",
      "installation_pkey",
      "member_passkey_credential_id_key",
      "merchant_fence_pkey",
      "merchant_move_change_pkey",
      "merchant_move_noting_pkey",
      "merchant_move_open",
      "merchant_move_pkey",
      "merchant_pkey",
      "merchant_stay_pkey",
      "one_time_link_token_hash_key",
      "passkey_challenge_pkey",
      "person_cell_pkey",
      "provider_callback_pkey",
      "settlement_file_pkey",
      "settlement_file_provider_environment_digest_key",
      "settlement_line_pkey",
      "sign_in_count_pkey",
    ]);
  });
});

describe("the approval gate", () => {
  beforeEach(() => probe.insert("merchant"));
  const approveBy = (id: string) => () => probe.insert("approval", { member_id: id });
  const join = (id: string, changes = {}) => probe.insert("member", { id, email: `${id}@example.com`, ...changes });

  it("who made a payout cannot approve it, nor who is no member, is disabled or has no role for it", async () => {
    await probe.insert("payout_intent");
    await join("mem_maker");
    await join("mem_other");
    await join("mem_gone", { disabled_at: "2026-01-01" });
    await join("mem_finance", { roles: ["finance", "developer"] });
    expect(await probe.refusedBy(approveBy("mem_maker"))).toBe("approval_by_another_person");
    for (const id of ["mem_nobody", "mem_gone", "mem_finance"])
      expect([id, await probe.refusedBy(approveBy(id))]).toEqual([id, "approval_by_an_approver"]);
    expect(await probe.refusedBy(approveBy("mem_other"))).toBe("nothing");
  });

  it("the roles for it are those that the services go by", async () => {
    const [row] = await probe.run<{ source: string }>(
      "SELECT prosrc AS source FROM pg_proc WHERE proname = 'may_approve'",
    );
    const listed = /ARRAY\[([^\]]+)\]/.exec(row?.source ?? "")?.[1] ?? "";
    expect(listed.split(", ").map((role) => role.slice(1, -1))).toEqual([...rolesFor("decide_payouts")]);
  });

  it("a payout leaves the gate for dispatch only with as many approvals by other people as it needs", async () => {
    await probe.insert("payout_intent", { approvals_required: 2 });
    await join("mem_a");
    await join("mem_b");
    const open = () => probe.run("UPDATE payout_intent SET approvals_given = 2, status = 'processing'");
    expect(await probe.refusedBy(open)).toBe("payout_intent_gate_is_kept");
    await approveBy("mem_a")();
    expect(await probe.refusedBy(open)).toBe("payout_intent_gate_is_kept");
    expect(await probe.refusedBy(approveBy("mem_a"))).toBe("approval_pkey");
    await approveBy("mem_b")();
    expect(await probe.refusedBy(open)).toBe("nothing");
  });

  it("no payout that needs approvals begins past the gate", async () => {
    const begin = { approvals_required: 1, approvals_given: 1, status: "processing" };
    expect(await probe.refusedBy(() => probe.insert("payout_intent", begin))).toBe("payout_intent_gate_is_kept");
  });

  it("a payout decided below a total of its UTC day is refused once the day has reached it", async () => {
    let count = 0;
    const payout = (changes: object) => {
      count += 1;
      const own = { id: `word_${count}`, merchant_reference: `order-${count}`, daily_total_below: null };
      return probe.insert("payout_intent", { ...own, ...changes });
    };
    const bounded = (below: number) => () => payout({ amount: 40, daily_total_below: below });
    await payout({ amount: 60 });
    await payout({ amount: 7, currency: "JPY" });
    await payout({ amount: 7, environment: "live" });
    await payout({ amount: 7, ...TERMINAL_STATES.payout_intent?.[2] });
    for (const at of ["2025-12-31T23:59:59.999Z", "2026-01-02T00:00:00.000Z"])
      await payout({ amount: 7, created_at: at, updated_at: "2026-01-03" });
    expect(await probe.refusedBy(bounded(100))).toBe("payout_intent_daily_total_moved");
    expect(await probe.refusedBy(bounded(101))).toBe("nothing");
  });

  it("payouts decided below a total wait for each other at the wallet, also if their statements do not touch it", async () => {
    const another = new Client({ connectionString: process.env.DATABASE_URL });
    await another.connect();
    try {
      await probe.insert("ledger_account");
      const begin = (changes: Readonly<Record<string, unknown>>) => async () => {
        await probe.run("SET LOCAL lock_timeout = '300ms'");
        await probe.insert("payout_intent", changes);
      };
      await another.query("BEGIN");
      await another.query("SELECT FROM ledger_account FOR NO KEY UPDATE");
      expect(await probe.refusedBy(begin({}))).toMatch(/due to lock timeout$/);
      expect(await probe.refusedBy(begin({ daily_total_below: null }))).toBe("nothing");
      expect(await probe.refusedBy(begin({ environment: "live" }))).toBe("nothing");
      await another.query("ROLLBACK");
      expect(await probe.refusedBy(begin({}))).toBe("nothing");
    } finally {
      await another.end();
    }
  });
});

describe("approval policies", () => {
  const ACTIVE = "state = 'active', decided_by_id = 'mem_2', decided_at = '2026-01-02'";
  const change = (set: string) => () => probe.run(`UPDATE approval_policy SET ${set}`);
  beforeEach(() => probe.insertWithNeeds("approval_policy"));

  it("a version stays as it was proposed", async () => {
    expect(await probe.refusedBy(() => probe.run("DELETE FROM approval_policy"))).toBe("approval_policy_stays");
    for (const set of [
      "rules = '[1]'",
      "default_approvals = 0",
      "proposed_by_id = 'mem_9'",
      "version = 3",
      "digest = NULL",
    ])
      expect([set, await probe.refusedBy(change(set))]).toEqual([set, "approval_policy_content_is_fixed"]);
  });

  it("moves from proposed to active and superseded, or to rejected, and never back; its decision is final", async () => {
    const again = "approval_policy_moves_forward";
    expect(await probe.refusedBy(change("state = 'superseded'"))).toBe(again);
    expect(await probe.refusedBy(change(ACTIVE.replace("active", "rejected")))).toBe("nothing");
    await change(ACTIVE)();
    for (const set of ["state = 'proposed'", "state = 'rejected'", "state = 'active'"])
      expect([set, await probe.refusedBy(change(set))]).toEqual([set, again]);
    const other = "state = 'superseded', decided_by_id = 'mem_3'";
    expect(await probe.refusedBy(change(other))).toBe("approval_policy_decision_is_final");
    await change("state = 'superseded'")();
    expect(await probe.refusedBy(change("state = 'active'"))).toBe(again);
  });

  it("one is active and one proposed per merchant and environment", async () => {
    const next =
      (changes = {}) =>
      () =>
        probe.insert("approval_policy", { version: 3, ...changes });
    expect(await probe.refusedBy(next())).toBe("approval_policy_one_proposed");
    expect(await probe.refusedBy(next({ environment: "live" }))).toBe("nothing");
    await change(ACTIVE)();
    const active = { version: 1, proposed_by_type: "operator", state: "active", decided_at: "2026-01-02" };
    expect(await probe.refusedBy(next(active))).toBe("approval_policy_one_active");
    expect(await probe.refusedBy(next())).toBe("nothing");
  });

  it("a version begins as a proposal, but for the merchant's first", async () => {
    for (const state of ["active", "superseded", "rejected"]) {
      const decided = { version: 3, state, decided_by_id: "mem_2", decided_at: "2026-01-02" };
      expect(await probe.refusedBy(() => probe.insert("approval_policy", decided))).toBe(
        "approval_policy_begins_proposed",
      );
    }
  });
});

describe.each([
  [
    "manual_resolution",
    "decided_by_type = 'operator', ",
    ["outcome = 'failed', amount = NULL, currency = NULL", "evidence = 'Another letter.'"],
  ],
  ["journal_entry", "", ["amount = 99", "evidence = 'Another letter.'", "object_id = 'a', is_additional = true"]],
  ["topup_policy_proposal", "", ["wanted = '{}'", "replaced = '{}'", "environment = 'live'", "digest = 'x'"]],
  ["role_grant", "", ["roles = ARRAY['owner']", "enables = true", "member_id = 'mem_2'"]],
])("%s", (table, byType, rewrites) => {
  const decide = (state: string) => () =>
    probe.run(
      `UPDATE ${table} SET state = '${state}', ${byType}decided_by_id = 'jan novak', decided_at = '2026-01-02'`,
    );
  const change = (set: string) => () => probe.run(`UPDATE ${table} SET ${set}`);

  it("begins as a proposal, stays as it was proposed, and its decision is final", async () => {
    const decided = { state: "rejected", decided_by_id: "jan novak", decided_at: "2026-01-02" };
    expect(await probe.refusedBy(() => probe.insert(table, decided))).toBe(`${table}_begins_proposed`);
    await probe.insert(table);
    for (const set of [...rewrites, "proposed_by_id = 'eva holm'"])
      expect([set, await probe.refusedBy(change(set))]).toEqual([set, `${table}_content_is_fixed`]);
    for (const state of ["confirmed", "rejected"])
      expect([state, await probe.refusedBy(decide(state))]).toEqual([state, "nothing"]);
    await decide("confirmed")();
    for (const set of ["state = 'rejected'", "decided_by_id = 'eva holm'"])
      expect([set, await probe.refusedBy(change(set))]).toEqual([set, `${table}_decision_is_final`]);
  });

  it("cannot be removed", async () => {
    await probe.insert(table);
    expect(await probe.refusedBy(() => probe.run(`DELETE FROM ${table}`))).toBe(`${table}_stays`);
    expect(await probe.refusedBy(() => probe.run(`TRUNCATE ${table}`))).toBe(`${table}_is_not_truncated`);
  });
});

describe("a refund of money in suspense", () => {
  const confirm = "state = 'confirmed', decided_by_id = 'mem_2', decided_at = proposed_at, due_at = proposed_at";
  const join = (id: string, changes = {}) => probe.insert("member", { id, email: `${id}@example.com`, ...changes });

  it("stays as it was proposed, and moves forward only", async () => {
    expect(await probe.refusedBy(() => probe.insertWithNeeds("suspense_refund", { state: "confirmed" }))).toBe(
      "suspense_refund_begins_proposed",
    );
    const tried = (change: string) =>
      probe.refusedBy(async () => {
        await probe.insertWithNeeds("suspense_refund");
        await probe.run(change);
      });
    for (const column of ["amount = 99", "fact = 'x'", "reference = reference || 'x'", "proposed_by_id = 'mem_2'"]) {
      const rule = await tried(`UPDATE suspense_refund SET ${column}`);
      expect([column, rule]).toEqual([column, "suspense_refund_content_is_fixed"]);
    }
    expect(await tried("DELETE FROM suspense_refund")).toBe("suspense_refund_stays");
    const settled = "state = 'settled', decided_by_id = 'mem_2', decided_at = proposed_at, ended_at = proposed_at";
    expect(await tried(`UPDATE suspense_refund SET ${settled}`)).toBe("suspense_refund_moves_forward");
  });

  it("needs its money in suspense, an open exception, and two people who may", async () => {
    expect(await probe.refusedBy(() => probe.insertWithNeeds("suspense_refund"))).toBe(
      "suspense_refund_is_of_its_money",
    );
    expect(await probe.refusedBy(() => probe.insertWithNeeds("suspense_refund", { fact: "another" }))).toBe(
      "suspense_refund_exception_is_open",
    );
    const confirmed = (...people: (() => Promise<unknown>)[]) =>
      probe.refusedBy(async () => {
        await probe.insertWithNeeds("suspense_refund", { proposed_by_id: "mem_3" });
        for (const person of people) await person();
        await probe.run(`UPDATE suspense_refund SET ${confirm}`);
        await probe.run("SET CONSTRAINTS suspense_refund_is_of_its_money DEFERRED");
      });
    const finance = () => join("mem_3", { roles: ["finance"] });
    const owner = (changes = {}) => join("mem_2", { roles: ["owner"], authority_test_from: "2025-01-01", ...changes });
    const [proposer, confirmer] = ["suspense_refund_proposer_may_propose", "suspense_refund_confirmer_may_confirm"];
    expect(await confirmed(() => owner())).toBe(proposer);
    expect(await confirmed(() => join("mem_3", { roles: ["developer"] }), owner)).toBe(proposer);
    expect(await confirmed(finance)).toBe(confirmer);
    expect(await confirmed(finance, () => owner({ roles: ["finance"] }))).toBe(confirmer);
    expect(await confirmed(finance, () => owner({ disabled_at: "2026-01-01" }))).toBe(confirmer);
    expect(await confirmed(finance, () => owner({ authority_test_from: "2026-01-01T00:00:01Z" }))).toBe(confirmer);
    expect(await confirmed(finance, () => owner())).toBe("suspense_refund_is_of_its_money");
  });

  it("is proposed by the roles that decide on exceptions", async () => {
    const [row] = await probe.run<{ source: string }>(
      "SELECT prosrc AS source FROM pg_proc WHERE proname = 'may_decide_exceptions'",
    );
    const listed = /ARRAY\[([^\]]+)\]/.exec(row?.source ?? "")?.[1] ?? "";
    expect(listed.split(", ").map((role) => role.slice(1, -1))).toEqual([...rolesFor("decide_exceptions")]);
  });
});

it("one resolution of an intent is proposed, and one confirmed", async () => {
  await probe.insert("manual_resolution");
  const again = () => probe.insert("manual_resolution", { id: "mres_2" });
  expect(await probe.refusedBy(again)).toBe("manual_resolution_one_proposed");
  const confirm = () =>
    probe.run(`UPDATE manual_resolution SET state = 'confirmed', decided_by_type = 'operator',
               decided_by_id = 'jan novak', decided_at = '2026-01-02' WHERE state = 'proposed'`);
  await confirm();
  await again();
  expect(await probe.refusedBy(confirm)).toBe("manual_resolution_one_confirmed");
});

describe("an intent's provider", () => {
  const ROUTED = ["payment_intent", "payout_intent"];
  const left = (...providers: string[]) =>
    JSON.stringify({
      route: null,
      order: ["sandbox", "other", "third"],
      skipped: [],
      left: providers.map((provider) => ({ provider, reason: "not_sent", at: "2026-01-01T00:00:00.000Z" })),
    });
  const reroute = (table: string, to: string, routing: string) => () =>
    probe.run(`UPDATE ${table} SET provider = $1, routing = $2`, [to, routing]);

  it.each(ROUTED)(
    "of a %s changes only for another of its decision, one left at a time, and it says so",
    async (table) => {
      const isPastTheGate = table === "payout_intent";
      const begin = isPastTheGate ? { status: "processing", approvals_required: 0 } : {};
      await probe.insert(table, { routing: left(), ...begin });
      for (const [to, routing] of [
        ["other", left()],
        ["other", left("other")],
        ["other", left("sandbox", "third")],
        ["sandbox", left("sandbox")],
        ["other", left("sandbox").replace("third", "fourth")],
      ] as const) {
        expect(await probe.refusedBy(reroute(table, to, routing))).toBe("reroute_is_recorded");
      }
      expect(await probe.refusedBy(reroute(table, "fourth", left("sandbox")))).toBe(`${table}_provider_is_routed`);
      expect(await probe.refusedAtCommit(reroute(table, "other", left("sandbox")))).toBe("nothing");
      expect(await probe.refusedBy(reroute(table, "sandbox", left("sandbox", "other")))).toBe("reroute_is_recorded");
      expect(await probe.refusedAtCommit(reroute(table, "third", left("sandbox", "other")))).toBe("nothing");
    },
  );

  it("stays while any call to it is unanswered or of unknown outcome", async () => {
    await probe.insert("payment_intent", { routing: left() });
    const after = (outcome: string | null) => async () => {
      const state = outcome === null ? "started" : outcome === "unknown" ? "unknown" : "answered";
      await probe.insert("provider_attempt", { state, outcome, answered_at: outcome && "2026-01-02" });
      await reroute("payment_intent", "other", left("sandbox"))();
    };
    for (const outcome of [null, "unknown", "pending", "succeeded"]) {
      expect([outcome, await probe.refusedBy(after(outcome))]).toEqual([outcome, "reroute_is_certain"]);
    }
    for (const outcome of ["never_accepted", "not_sent"]) {
      expect([outcome, await probe.refusedBy(after(outcome))]).toEqual([outcome, "nothing"]);
    }
  });

  const FAILED = "SET status = 'failed', failure_code = 'provider_unavailable', due_at = NULL";
  const OPEN = { status: "processing", updated_at: "2026-01-02T00:20:00Z" };
  const announced = (outcome: string | null, at: string) =>
    probe.insert("provider_attempt", {
      state: outcome === null ? "started" : outcome === "unknown" ? "unknown" : "answered",
      outcome,
      started_at: at,
      answered_at: outcome && "2026-01-02T00:20:00Z",
    });

  it.each(["payment_intent", "payout_intent", "topup_intent"])(
    "keeps a %s from failing as accepted by nobody while a call may arrive, and for good once one was accepted",
    async (table) => {
      await probe.insert(table, { ...OPEN, ...(table === "payout_intent" && { approvals_required: 0 }) });
      const failure = (outcome: string | null, at: string) => async () => {
        await announced(outcome, at);
        await probe.run(`UPDATE provider_attempt SET intent_id = (SELECT id FROM ${table})`);
        await probe.run(`UPDATE ${table} ${FAILED}`);
      };
      const [recent, old] = ["2026-01-02T00:10:01Z", "2026-01-02T00:10:00Z"];
      for (const outcome of [null, "unknown"]) {
        expect([outcome, await probe.refusedBy(failure(outcome, recent))]).toEqual([outcome, "failure_is_certain"]);
        expect([outcome, await probe.refusedBy(failure(outcome, old))]).toEqual([outcome, "nothing"]);
      }
      for (const outcome of ["pending", "requires_action", "instructions", "settled"]) {
        expect([outcome, await probe.refusedBy(failure(outcome, old))]).toEqual([outcome, "failure_is_certain"]);
      }
      for (const outcome of ["never_accepted", "not_sent"]) {
        expect([outcome, await probe.refusedBy(failure(outcome, recent))]).toEqual([outcome, "nothing"]);
      }
    },
  );

  it("that accepted an intent stays on record: no later outcome of the call erases it", async () => {
    const later = (outcome: string) => () => probe.run("UPDATE provider_attempt SET outcome = $1", [outcome]);
    await announced("pending", "2026-01-02");
    for (const outcome of ["never_accepted", "not_sent", "unknown"]) {
      expect([outcome, await probe.refusedBy(later(outcome))]).toEqual([outcome, "acceptance_is_kept"]);
    }
    for (const outcome of ["settled", "declined"]) {
      expect([outcome, await probe.refusedBy(later(outcome))]).toEqual([outcome, "nothing"]);
    }
  });

  it("of a top-up never changes", async () => {
    await probe.insert("topup_intent", { routing: left() });
    const move = reroute("topup_intent", "other", left("sandbox"));
    expect(await probe.refusedBy(move)).toBe("topup_intent_routing_is_fixed");
  });

  it("of a row from before decisions were stored can be filled in, and then counts as any other", async () => {
    await probe.insert("payment_intent", { routing: null });
    expect(await probe.refusedBy(reroute("payment_intent", "other", left("sandbox")))).toBe("reroute_is_recorded");
    expect(await probe.refusedAtCommit(reroute("payment_intent", "sandbox", left()))).toBe("nothing");
  });
});

describe("double entry", () => {
  it("an unbalanced transaction fails at COMMIT and leaves nothing", async () => {
    const unbalanced = () => probe.insertTransfer({ amount: -99 });
    expect(await probe.refusedAtCommit(unbalanced)).toBe("ledger_transaction_balances");
    expect(await probe.run("SELECT FROM ledger_entry")).toEqual([]);
  });

  it("sums are zero per currency, not across currencies", async () => {
    const mixed = async () => {
      await probe.insert("ledger_account", { currency: "MXN", kind: "funding" });
      await probe.insertTransfer({ currency: "MXN" });
    };
    expect(await probe.refusedAtCommit(mixed)).toBe("ledger_transaction_balances");
  });

  it("a transaction without entries fails at COMMIT", async () => {
    expect(await probe.refusedAtCommit(() => probe.insert("ledger_transaction"))).toBe(
      "ledger_transaction_has_entries",
    );
  });

  it("a transaction stays within one environment", async () => {
    const crossing = async () => {
      await probe.insert("ledger_account", { environment: "live", kind: "funding" });
      await probe.insertTransfer({ environment: "live" });
    };
    expect(await probe.refusedAtCommit(crossing)).toBe("ledger_transaction_one_environment");
  });

  it("nothing unbalanced can be added to an old transaction", async () => {
    expect(await probe.refusedAtCommit(() => probe.insertTransfer())).toBe("nothing");
    const late = () => probe.insert("ledger_entry", { sequence: 2, amount: 5 });
    expect(await probe.refusedAtCommit(late)).toBe("ledger_transaction_balances");
  });

  it("a payout never brings back more than it took, and nothing before it has succeeded", async () => {
    const intent = { status: "succeeded", due_at: null, approvals_required: 0 };
    await probe.insert("payout_intent", intent);
    await probe.insert("payout_intent", { id: "word_2", merchant_reference: "order-2" });
    await probe.insert("ledger_account");
    await probe.insert("ledger_account", { kind: "provider_clearing" });
    let sequence = 0;
    const giveBack = (amount: number, payout = "word_1") => {
      sequence += 1;
      const transaction = `ltx_${sequence}`;
      return probe.run(
        `WITH booked AS (
           INSERT INTO ledger_transaction (merchant_id, id, environment, reason, unique_key, intent_id, created_at)
           VALUES ('mer_schema', '${transaction}', 'test', 'bank_return', '${transaction}', '${payout}', now()))
         INSERT INTO ledger_entry (merchant_id, environment, currency, kind, sequence, transaction_id, amount)
         VALUES ('mer_schema', 'test', 'BRL', 'available', ${sequence}, '${transaction}', ${amount}),
                ('mer_schema', 'test', 'BRL', 'provider_clearing', ${sequence}, '${transaction}', ${-amount})`,
      );
    };
    expect(await probe.refusedBy(() => giveBack(101))).toBe("bank_return_within_payout");
    expect(await probe.refusedBy(() => giveBack(1, "word_2"))).toBe("bank_return_within_payout");
    expect(await probe.refusedAtCommit(() => giveBack(60))).toBe("nothing");
    expect(await probe.refusedBy(() => giveBack(41))).toBe("bank_return_within_payout");
    expect(await probe.refusedAtCommit(() => giveBack(40))).toBe("nothing");
  });

  it("an update that would overdraw a wallet is refused, and one to zero is not", async () => {
    await probe.insert("ledger_account", { balance: 100 });
    const take = (sum: number) => () => probe.run(`UPDATE ledger_account SET balance = balance - ${sum}`);
    expect(await probe.refusedBy(take(101))).toBe("ledger_account_never_negative");
    expect(await probe.refusedBy(take(100))).toBe("nothing");
  });
});

describe("access", () => {
  it.each([...INTENTS, "provider_callback"])("due rows of %s are found by an index of due rows only", async (table) => {
    // On an empty table two ways through the same index cost the same but for the width of a row.
    await probe.run("SET enable_seqscan = off; SET enable_bitmapscan = off");
    const plan = await probe.run<{ "QUERY PLAN": string }>(
      `EXPLAIN SELECT * FROM ${table} WHERE due_at <= now() ORDER BY due_at LIMIT 10`,
    );
    await probe.run("RESET enable_seqscan; RESET enable_bitmapscan");
    expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain(`Index Scan using ${table}_due`);
  });

  it.each(INTENTS)("one row of %s is read by primary key, even while the table has no statistics", async (table) => {
    const plan = await probe.run<{ "QUERY PLAN": string }>(
      `EXPLAIN SELECT * FROM ${table} WHERE merchant_id = 'm' AND environment = 'test' AND id = 'i'`,
    );
    expect(plan[0]?.["QUERY PLAN"]).toContain(`using ${table}_pkey`);
  });
});
