// Merchants: their settings and enabled currencies.

import { isDeepStrictEqual } from "node:util";
import { FIRST_POLICY } from "@/server/domain/approval-policy";
import { writePolicy } from "@/server/domain/approval-policy-document";
import type { Brand } from "@/server/domain/brand";
import type { CheckoutMode } from "@/server/domain/payment-intent";
import type { Environment, Scope } from "@/server/domain/scope";
import type { TopupTerms } from "@/server/domain/topup-terms";
import { now } from "@/server/platform/clock";
import { insertApiKeyWithin, type NewApiKey } from "./api-keys";
import { insertFirstPolicies } from "./approval-policies";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query, queryAcrossMerchants } from "./client";
import { type Booking, bookWithin } from "./commit/book-within";
import { BRAND, NO_BRAND } from "./merchant-brand";
import { openAccountsWithin } from "./merchant-currencies";
import { insertTopupTermsWithin, TOPUP_TERMS } from "./topup-terms";

export interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly checkoutMode: CheckoutMode;
  /** What members give a one-time code for. */
  readonly totpRequiredFor: readonly string[];
  /** Time after which authority that a member gave counts in live. */
  readonly authorityCoolDownSeconds: number;
  /** Time after which a saved recipient can be paid. */
  readonly recipientCoolOffSeconds: Readonly<Record<Environment, number>>;
  /** True if payouts over the API are rejected for wrong check digits or bank codes. */
  readonly checksAccounts: boolean;
  readonly topupTerms: Readonly<Record<Environment, TopupTerms>>;
  /** In which new intents may be created. */
  readonly currencies: ReadonlySet<string>;
  /** Also those that were removed: its wallets and past intents have them. */
  readonly walletCurrencies: ReadonlySet<string>;
  /** What payers see beside the name. */
  readonly brand: Brand;
  readonly isSuspended: boolean;
  /** How far the clock of its test environment is ahead of the database's, in ms. */
  readonly testClockAheadMs: number;
  /** Names the key by which this database derives dispatch references; null while it derives none. */
  readonly referenceKeyId: string | null;
}

interface MerchantRow {
  readonly id: string;
  readonly name: string;
  readonly checkout_mode: CheckoutMode;
  readonly totp_required_for: readonly string[];
  readonly authority_cool_down_seconds: number;
  readonly recipient_cool_off: Record<Environment, number>;
  readonly checks_accounts: boolean;
  readonly currencies: readonly string[];
  readonly removed: readonly string[];
  readonly topup_terms: Record<Environment, TopupTerms>;
  readonly brand: Brand | null;
  readonly is_suspended: boolean;
  readonly ahead_ms: number;
  readonly reference_key_id: string | null;
}

/** The merchant with its currencies, terms and test clock, in one read; or null. */
export async function findMerchant(id: string): Promise<Merchant | null> {
  const [row] = await query<MerchantRow>(
    `SELECT id, name, checkout_mode, totp_required_for, authority_cool_down_seconds,
            json_build_object('live', recipient_cool_off_live_seconds, 'test', recipient_cool_off_test_seconds)
              AS recipient_cool_off,
            checks_accounts, suspended_at IS NOT NULL AS is_suspended,
            ARRAY(SELECT currency FROM merchant_currency c WHERE c.merchant_id = m.id AND removed_at IS NULL) AS currencies,
            ARRAY(SELECT currency FROM merchant_currency c WHERE c.merchant_id = m.id AND removed_at IS NOT NULL) AS removed,
            (SELECT jsonb_object_agg(environment, ${TOPUP_TERMS}) FROM topup_terms t WHERE t.merchant_id = m.id)
              AS topup_terms,
            (SELECT ${BRAND} FROM merchant_brand b WHERE b.merchant_id = m.id) AS brand,
            coalesce((SELECT offset_ms FROM sandbox_clock s WHERE s.merchant_id = m.id), 0)::float8 AS ahead_ms,
            (SELECT reference_key_id FROM installation) AS reference_key_id
     FROM merchant m WHERE id = $1`,
    id,
  );
  if (!row) return null;
  const {
    name,
    checkout_mode: checkoutMode,
    totp_required_for: totpRequiredFor,
    authority_cool_down_seconds: authorityCoolDownSeconds,
    recipient_cool_off: recipientCoolOffSeconds,
    checks_accounts: checksAccounts,
    topup_terms: topupTerms,
    is_suspended: isSuspended,
    ahead_ms: testClockAheadMs,
    reference_key_id: referenceKeyId,
  } = row;
  const currencies = new Set(row.currencies);
  return {
    id,
    name,
    checkoutMode,
    totpRequiredFor,
    authorityCoolDownSeconds,
    recipientCoolOffSeconds,
    checksAccounts,
    topupTerms,
    currencies,
    brand: row.brand ?? NO_BRAND,
    walletCurrencies: new Set([...row.currencies, ...row.removed]),
    isSuspended,
    testClockAheadMs,
    referenceKeyId,
  };
}

/** True if the database holds any merchant, or has one that arrives or has left. */
export async function hasMerchantsAcrossAll(): Promise<boolean> {
  const [row] = await queryAcrossMerchants<{ readonly any: boolean }>(
    'SELECT EXISTS (SELECT FROM merchant) OR EXISTS (SELECT FROM merchant_fence) AS "any"',
  );
  return row?.any === true;
}

export interface NewMerchant {
  readonly id: string;
  readonly name: string;
  readonly currencies: readonly string[];
  /** What its wallets start with. */
  readonly opening: readonly Booking[];
  /** Its first API keys. */
  readonly keys: readonly NewApiKey[];
}

/**
 * Creates a merchant, its currencies, its top-up terms, its first approval policies and every ledger account, in both
 * environments, and books what its wallets start with, and stores its first keys: all of it, with its audit entries, or
 * nothing.
 */
export async function insertMerchant(merchant: NewMerchant, act: Act): Promise<void> {
  const { id, name, currencies, opening, keys } = merchant;
  const change = { merchantId: id, environment: null, action: "merchant.create", objectId: id, before: null };
  const approvals = writePolicy(FIRST_POLICY);
  await inTransaction(async (transaction) => {
    await transaction.query("INSERT INTO merchant (id, name) VALUES ($1, $2)", id, name);
    await transaction.query(
      "INSERT INTO merchant_currency (merchant_id, currency) SELECT $1, unnest($2::text[])",
      id,
      currencies,
    );
    await openAccountsWithin(transaction, id, currencies);
    await insertTopupTermsWithin(transaction, id);
    await insertFirstPolicies(transaction, id, act);
    await recordChange(transaction, { ...change, after: { name, currencies, approval_policy: approvals } }, act);
    await bookWithin(transaction, opening, act.at);
    for (const key of keys) await insertApiKeyWithin(transaction, key, act);
  });
}

/** A column of a merchant that one call sets, and the action of its audit entry. */
const SETTINGS = {
  name: "merchant.set_name",
  checkout_mode: "merchant.set_checkout",
  authority_cool_down_seconds: "merchant.set_authority_cool_down",
  recipient_cool_off_live_seconds: "merchant.set_recipient_cool_off",
  recipient_cool_off_test_seconds: "merchant.set_recipient_cool_off",
  checks_accounts: "merchant.set_account_checks",
  totp_required_to_sign_in: "merchant.set_sign_in_codes",
  totp_required_for: "merchant.set_totp",
} as const;

/**
 * Sets one column, with an audit entry where that changes; false without such a merchant. The entry's time is read under the
 * lock of the merchant's row: by time, too, the last entry shows what is stored.
 */
function updateSetting(id: string, column: keyof typeof SETTINGS, value: unknown, act: Act): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const [row] = await transaction.query<{ was: unknown }>(
      `SELECT ${column} AS was FROM merchant WHERE id = $1 FOR NO KEY UPDATE`,
      id,
    );
    if (!row) return false;
    if (isDeepStrictEqual(row.was, value)) return true;
    await transaction.query(`UPDATE merchant SET ${column} = $2 WHERE id = $1`, id, value);
    const states = { before: { [column]: row.was }, after: { [column]: value } };
    const change = { merchantId: id, environment: null, action: SETTINGS[column], objectId: id, ...states };
    await recordChange(transaction, change, { ...act, at: now() });
    return true;
  });
}

/** Sets the merchant's name, with an audit entry where that changes; false without such a merchant. */
export function updateMerchantName(id: string, name: string, act: Act): Promise<boolean> {
  return updateSetting(id, "name", name, act);
}

/** Sets how customers of the merchant are shown payments, with an audit entry where that changes; false without such a merchant. */
export function updateCheckoutMode(id: string, checkoutMode: CheckoutMode, act: Act): Promise<boolean> {
  return updateSetting(id, "checkout_mode", checkoutMode, act);
}

/** Sets after how many seconds authority counts in live, with an audit entry where that changes; false without the merchant. */
export function updateAuthorityCoolDown(id: string, seconds: number, act: Act): Promise<boolean> {
  return updateSetting(id, "authority_cool_down_seconds", seconds, act);
}

/** Sets after how many seconds new recipients can be paid, with an audit entry where that changes; false without the merchant. */
export function updateRecipientCoolOff(
  { merchantId, environment }: Scope,
  seconds: number,
  act: Act,
): Promise<boolean> {
  return updateSetting(merchantId, `recipient_cool_off_${environment}_seconds`, seconds, act);
}

/** Sets whether payouts over the API need plausible accounts, with an audit entry where that changes; false without such a merchant. */
export function updateChecksAccounts(id: string, checksAccounts: boolean, act: Act): Promise<boolean> {
  return updateSetting(id, "checks_accounts", checksAccounts, act);
}

/** Sets whether members need codes to sign in, with an audit entry where that changes; false without such a merchant. */
export function updateTotpRequiredToSignIn(id: string, isRequired: boolean, act: Act): Promise<boolean> {
  return updateSetting(id, "totp_required_to_sign_in", isRequired, act);
}

/** Sets what members give a one-time code for, in that order, with an audit entry where that changes; false without such a merchant. */
export function updateTotpRequiredFor(id: string, acts: readonly string[], act: Act): Promise<boolean> {
  return updateSetting(id, "totp_required_for", acts, act);
}
