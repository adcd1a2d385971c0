// A policy while it is being edited.

import type { PolicyDocument, PolicyRuleDocument } from "@/server/domain/approval-policy-document";
import { readTypedAmount } from "@/server/domain/typed-amount";
import type { Texts } from "../i18n/dashboard-texts";
import { fieldAmount } from "../money/field-amount";

export interface RuleDraft {
  /** Identifies a row of the form. */
  readonly key: number;
  readonly currency: string;
  readonly country: string;
  readonly amount: string;
  readonly total: string;
  readonly firstTime: boolean;
  readonly approvals: number;
}

export interface PolicyDraft {
  readonly otherwise: number;
  readonly rules: readonly RuleDraft[];
}

/** The initial draft of an existing policy. */
export function draftOf(texts: Texts, { default_approvals: otherwise, rules }: PolicyDocument): PolicyDraft {
  return {
    otherwise,
    rules: rules.map(({ currency = "", country = "", approvals, ...rule }, key) => {
      const { amount_at_least: amount, daily_total_at_least: total, first_time_recipient: firstTime = false } = rule;
      const typed = (units: string | undefined) => (units === undefined ? "" : fieldAmount(texts, units, currency));
      return { key, currency, country, amount: typed(amount), total: typed(total), firstTime, approvals };
    }),
  };
}

/** An empty rule, to be filled in. */
export function emptyRule(rules: readonly RuleDraft[]): RuleDraft {
  const key = Math.max(-1, ...rules.map((rule) => rule.key)) + 1;
  return { key, currency: "", country: "", amount: "", total: "", firstTime: false, approvals: 2 };
}

/** The edited policy, or its error; the server checks the rest. */
export function readDraft(
  texts: Texts,
  { otherwise, rules }: PolicyDraft,
): PolicyDocument | { readonly fault: string } {
  const read: PolicyRuleDocument[] = [];
  for (const [index, { currency, country, amount, total, firstTime, approvals }] of rules.entries()) {
    const amounts = [amount, total].map((text) => text.trim());
    if (currency === "" && amounts.some((text) => text !== ""))
      return { fault: texts("policies.amountNeedsCurrency", { index: index + 1 }) };
    const [least, most] = amounts.map((text) =>
      text === "" ? undefined : readTypedAmount(text, currency, texts.language),
    );
    if (least === null || most === null)
      return { fault: texts("policies.amountInvalid", { index: index + 1, currency }) };
    read.push({
      ...(currency !== "" && { currency }),
      ...(country.trim() !== "" && { country: country.trim().toUpperCase() }),
      ...(least !== undefined && { amount_at_least: least }),
      ...(most !== undefined && { daily_total_at_least: most }),
      ...(firstTime && { first_time_recipient: true as const }),
      approvals,
    });
  }
  return { default_approvals: otherwise, rules: read };
}
