// Checks the configuration of a Paystack account, by calls that change nothing.
import { z } from "zod";
import type { ProviderFinding, ProviderInspection } from "../gateway";
import { findAccount } from "./account";
import { describe, exactInteger, type PaystackClient } from "./client";
import type { PaystackConfig } from "./config";
import { createPaystackClient } from "./gateway";
import { CALLS } from "./tables";

/** The shortest window of a payment, in seconds: Paystack's page should not stay open for longer. */
const SHORTEST_WINDOW_SECONDS = 1_800;

const balances = z.array(z.object({ currency: z.string().regex(/^[A-Z]{3}$/), balance: z.number() }));
const timeout = z.object({ payment_session_timeout: exactInteger });

/** Returns the check of one configured account. */
export function createPaystackInspection(config: PaystackConfig): ProviderInspection {
  const client = createPaystackClient(config);
  return async (signal) => {
    const key = await checkKey(client, signal);
    if (key.level === "fault") return [key];
    const [account, session] = await Promise.all([
      checkAccount(client, config.account, signal),
      checkSession(client, signal),
    ]);
    return [key, account, session];
  };
}

async function checkKey(client: PaystackClient, signal: AbortSignal): Promise<ProviderFinding> {
  const answer = await client(CALLS.balance, signal);
  if (answer.kind === "error" && answer.status === 401) {
    return { level: "fault", text: "Paystack rejects secret_key" };
  }
  const parsed = answer.kind === "data" ? balances.safeParse(answer.data) : null;
  if (!parsed?.success) return { level: "warning", text: `secret_key was not checked: ${describe(answer)}` };
  const currencies = parsed.data.map(({ currency }) => currency).join(", ");
  return {
    level: "ok",
    text: `Paystack accepts secret_key; the account has balances in ${currencies || "no currency"}`,
  };
}

async function checkAccount(client: PaystackClient, account: string, signal: AbortSignal): Promise<ProviderFinding> {
  const found = await findAccount(client, signal);
  if (found === account) return { level: "ok", text: `secret_key belongs to account ${account}` };
  if (found === null) {
    return { level: "warning", text: "account was not checked: Paystack lists no customer and no transfer recipient" };
  }
  return { level: "fault", text: `secret_key belongs to account ${found}, not to ${account}`, stopsStart: true };
}

async function checkSession(client: PaystackClient, signal: AbortSignal): Promise<ProviderFinding> {
  const answer = await client(CALLS.sessionTimeout, signal);
  const parsed = answer.kind === "data" ? timeout.safeParse(answer.data) : null;
  if (!parsed?.success) return { level: "warning", text: "the payment session timeout was not read" };
  const seconds = parsed.data.payment_session_timeout;
  const isShort = seconds > 0 && seconds <= SHORTEST_WINDOW_SECONDS;
  if (isShort) return { level: "ok", text: `payment pages close after ${seconds} s` };
  const text = `payment pages close after ${seconds === 0 ? "no time" : `${seconds} s`}: set the payment session timeout to ${SHORTEST_WINDOW_SECONDS} s or less, or money can arrive after a payment has expired`;
  return { level: "warning", text };
}
