// The merchant of one history: its own test clock, and the policies and terms of the history.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Api, createApi } from "../../support/api";
import type { AnswerValidator } from "../../support/openapi";
import type { Operator } from "../../support/operator";
import type { History } from "../world/history";

/** Payouts of this amount or more wait at the gate for the approvals of the history. */
export const GATED_AMOUNT = 100_000n;
const CURRENCIES = ["BRL", "MXN", "PEN", "SGD", "USDT"];
const SPREAD_BASIS_POINTS = { plain: "0", spread: "50", fee: "0" };

/** What is needed to create merchants. */
export interface Office {
  readonly baseUrl: string;
  readonly validate: AnswerValidator;
  readonly operator: Operator;
}

export interface Party {
  readonly id: string;
  readonly api: Api;
  /** Approves a payout as one person the first time, as another the second time. */
  approve(payoutId: string): Promise<void>;
}

interface Created {
  readonly id: string;
  readonly keys: { readonly test: { readonly public_key: string; readonly secret_key: string } };
}

type People = readonly [string, string, ...string[]];

/** A policy can require one approval less than there are approvers, because the maker of a payout cannot approve it. */
async function createPeople({ run }: Operator, merchantId: string, approvals: 1 | 2): Promise<People> {
  const third = approvals === 2 ? ["three@example.com"] : [];
  const people: People = ["one@example.com", "two@example.com", ...third];
  const create = (email: string) =>
    run("members", "create", "--merchant", merchantId, "--email", email, "--roles", "owner");
  await Promise.all(people.map(create));
  return people;
}

/** Payouts below the gated amount need no approval, others as many as the history states. */
async function setApprovalPolicy(
  { run }: Operator,
  scope: readonly string[],
  [proposer, confirmer]: People,
  approvals: number,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "model-policy-"));
  const file = join(folder, "policy.json");
  const rules = CURRENCIES.map((currency) => ({ currency, amount_at_least: GATED_AMOUNT.toString(), approvals }));
  writeFileSync(file, JSON.stringify({ default_approvals: 0, rules }));
  const { version } = await run<{ version: number }>("policies", "set", ...scope, "--file", file, "--as", proposer);
  await run("policies", "confirm", ...scope, "--version", String(version), "--as", confirmer);
  rmSync(folder, { recursive: true });
}

async function setTopupTerms({ run }: Operator, scope: readonly string[], history: History): Promise<void> {
  const { overpayment, underpayment, latePayment, terms } = history;
  const policies = ["--overpayment", overpayment, "--underpayment", underpayment, "--late-payment", latePayment];
  const spread = ["--spread-basis-points", SPREAD_BASIS_POINTS[terms]];
  await run("topup-terms", "set", ...scope, ...policies, ...spread, "--fee-mode", "absorbed");
}

/** Creates the merchant of a history. */
export async function makeParty({ baseUrl, validate, operator }: Office, history: History): Promise<Party> {
  const words = ["--name", "Model", "--currencies", CURRENCIES.join(","), "--with-keys"];
  const { id, keys } = await operator.run<Created>("merchants", "create", ...words);
  const scope = ["--merchant", id, "--environment", "test"];
  const people = history.kind === "payout" ? await createPeople(operator, id, history.approvals) : null;
  if (people) await setApprovalPolicy(operator, scope, people, history.approvals);
  if (history.kind === "topup") await setTopupTerms(operator, scope, history);
  const { public_key: publicKey, secret_key: secretKey } = keys.test;
  let approvals = 0;
  return {
    id,
    api: createApi(baseUrl, { publicKey, secretKey }, validate),
    async approve(payoutId) {
      const person = people?.[approvals] ?? "";
      approvals += 1;
      await operator.run("payouts", "approve", "--id", payoutId, "--as", person, "--merchant", id);
    },
  };
}
