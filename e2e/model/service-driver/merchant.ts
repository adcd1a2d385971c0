// A merchant for one client: live keys are not needed, the test clock is; payouts above a threshold need one approval.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Api, createApi } from "../../support/api";
import { cli } from "../../support/cli";
import { createMerchant } from "../../support/merchant";
import type { AnswerValidator } from "../../support/openapi";
import type { ServiceAddress } from "../../support/service";
import type { Policy } from "../world/history";

/** Payouts of this sum or more wait at the gate for one approval. */
export const GATED_AMOUNT = 100_000n;
const CURRENCIES = ["BRL", "MXN", "USDT"];

export interface Policies {
  readonly overpayment: Policy;
  readonly underpayment: Policy;
  readonly latePayment: Policy;
}

export interface Party {
  readonly id: string;
  readonly api: Api;
  readonly policies: Policies;
  approve(payoutId: string): Promise<void>;
}

async function setApprovalPolicy(service: ServiceAddress, merchant: readonly string[], people: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "model-policy-"));
  const file = join(folder, "policy.json");
  const rules = CURRENCIES.map((currency) => ({ currency, amount_at_least: GATED_AMOUNT.toString(), approvals: 1 }));
  writeFileSync(file, JSON.stringify({ default_approvals: 0, rules }));
  const [proposer = "", confirmer = ""] = people;
  const proposed = await cli<{ version: number }>(
    service,
    "policies",
    "set",
    ...merchant,
    "--file",
    file,
    "--as",
    proposer,
  );
  await cli(service, "policies", "confirm", ...merchant, "--version", String(proposed.version), "--as", confirmer);
  rmSync(folder, { recursive: true });
}

/** Makes the merchant of client number `index`; takes some seconds of command line. */
export async function makeParty(
  service: ServiceAddress,
  validate: AnswerValidator,
  index: number,
  policies: Policies,
): Promise<Party> {
  const { id, keys } = await createMerchant(service, { name: `Model ${index}` });
  const merchant = ["--merchant", id, "--environment", "test"];
  const people = ["one", "two"].map((name) => `${name}-${index}@example.com`);
  for (const email of people) {
    const person = ["--email", email, "--password", `a password of ${email}`, "--roles", "owner"];
    await cli(service, "members", "create", "--merchant", id, ...person);
  }
  await setApprovalPolicy(service, merchant, people);
  const { overpayment, underpayment, latePayment } = policies;
  const terms = ["--overpayment", overpayment, "--underpayment", underpayment, "--late-payment", latePayment];
  await cli(
    service,
    "topup-terms",
    "set",
    ...merchant,
    ...terms,
    "--spread-basis-points",
    "50",
    "--fee-mode",
    "absorbed",
  );
  return {
    id,
    api: createApi(service.baseUrl, keys.test, validate),
    policies,
    approve: async (payoutId) =>
      void (await cli(service, "payouts", "approve", "--id", payoutId, "--as", people[0] ?? "")),
  };
}
