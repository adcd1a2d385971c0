// Checks the configuration of a store, by calls that change nothing.
import type { ProviderFinding, ProviderInspection } from "../gateway";
import { type BtcpayClient, createBtcpayClient, describe } from "./client";
import type { BtcpayConfig } from "./config";
import { apiKey, list, storeMethods, store as storeObject } from "./objects";
import { CALLS, CREATES_INVOICES, TOPUP_ROWS } from "./tables";

/** Returns the check of one configured store. */
export function createBtcpayInspection(config: BtcpayConfig): ProviderInspection {
  const client = createBtcpayClient(config);
  return async (signal) => {
    const key = await checkKey(client, config, signal);
    if (key.some(({ level }) => level === "fault")) return key;
    const [store, methods, openness] = await Promise.all([
      checkStore(client, config, signal),
      checkMethods(client, config, signal),
      checkOpenness(client, signal),
    ]);
    return [...key, store, ...methods, ...openness];
  };
}

/** True if one of the key's permissions, for this store or for all, lets it create invoices. */
function mayCreate(permissions: readonly string[], storeId: string): boolean {
  return CREATES_INVOICES.some((name) => permissions.includes(name) || permissions.includes(`${name}:${storeId}`));
}

async function checkKey(
  client: BtcpayClient,
  { account }: BtcpayConfig,
  signal: AbortSignal,
): Promise<ProviderFinding[]> {
  const answer = await client(CALLS.currentKey, {}, signal);
  if (answer.kind === "error" && answer.status === 401) return [{ level: "fault", text: "BTCPay rejects secret_key" }];
  const parsed = answer.kind === "data" ? apiKey.safeParse(answer.data) : null;
  if (!parsed?.success) return [{ level: "warning", text: `secret_key was not checked: ${describe(answer)}` }];
  if (mayCreate(parsed.data.permissions, account)) return [{ level: "ok", text: "secret_key may create invoices" }];
  return [{ level: "fault", text: `secret_key lacks the permission ${CREATES_INVOICES[0]} for store ${account}` }];
}

async function checkStore(
  client: BtcpayClient,
  { account }: BtcpayConfig,
  signal: AbortSignal,
): Promise<ProviderFinding> {
  const answer = await client(CALLS.listInvoices, { query: { take: "1" } }, signal);
  if (answer.kind === "data" && list.safeParse(answer.data).success) {
    return { level: "ok", text: `secret_key reads the invoices of store ${account}` };
  }
  const isDenied = answer.kind === "error" && (answer.status === 403 || answer.status === 404);
  const why = `the invoices of store ${account} could not be read: ${describe(answer)}`;
  return isDenied
    ? { level: "fault", text: `${why}; check account and the permission btcpay.store.canviewinvoices` }
    : { level: "warning", text: why };
}

/** Strangers' invoices do not count, but many of them under our reference would fill the list. */
async function checkOpenness(client: BtcpayClient, signal: AbortSignal): Promise<ProviderFinding[]> {
  const answer = await client(CALLS.store, {}, signal);
  const parsed = answer.kind === "data" ? storeObject.safeParse(answer.data) : null;
  if (parsed?.data?.anyoneCanCreateInvoice !== true) return [];
  return [{ level: "warning", text: "anyone can create invoices in the store: turn it off in the store's settings" }];
}

async function checkMethods(
  client: BtcpayClient,
  { topups }: BtcpayConfig,
  signal: AbortSignal,
): Promise<ProviderFinding[]> {
  const answer = await client(CALLS.storeMethods, {}, signal);
  const parsed = answer.kind === "data" ? storeMethods.safeParse(answer.data) : null;
  if (!parsed?.success) {
    const text = `rates and payment methods could not be read: ${describe(answer)}; quotes need the permission btcpay.store.canviewstoresettings`;
    return [{ level: answer.kind === "error" && answer.status === 403 ? "fault" : "warning", text }];
  }
  const enabled = new Set(
    parsed.data.flatMap((method) => (method.enabled ? [method.paymentMethodId.toLowerCase()] : [])),
  );
  return [...new Set(topups.map(({ source }) => source))].map((token): ProviderFinding => {
    const method = TOPUP_ROWS[token]?.paymentMethod ?? "";
    return enabled.has(method.toLowerCase())
      ? { level: "ok", text: `the store has a wallet for ${token}` }
      : { level: "fault", text: `the store has no wallet for ${token}: payment method ${method} is not enabled` };
  });
}
