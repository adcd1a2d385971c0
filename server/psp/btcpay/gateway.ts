// The adapter for BTCPay Server: top-ups in BTC and in USDT on Liquid (docs/providers/btcpay.md).
import { offersOf } from "../config/keyed-account";
import type { Gateway } from "../gateway";
import { createBtcpayClient } from "./client";
import { type BtcpayConfig, SPEED_POLICIES } from "./config";
import type { BtcpayContext } from "./context";
import { btcpayPage } from "./object-page";
import { quoteTopup } from "./rates";
import { TOPUP_ROWS } from "./tables";
import { createTopup, queryTopup } from "./topups";

const TOPUPS_ONLY = { kind: "never_accepted", detail: "not sent: BTCPay has top-ups only" } as const;
const MINUTES_PER_DAY = 24 * 60;

/** Returns the adapter of one configured store. */
export function createBtcpayGateway(config: BtcpayConfig): Gateway {
  const { name, account, environments, topups, confirmations, monitoring_days, unverified, dashboard_url } = config;
  const [environment = "live"] = environments;
  const context: BtcpayContext = {
    client: createBtcpayClient(config),
    account,
    environment,
    speedPolicy: confirmations === undefined ? null : (SPEED_POLICIES[confirmations] ?? null),
    monitoringMinutes: monitoring_days * MINUTES_PER_DAY,
  };
  const isOffered = (source: string, destination: string) => {
    const isOn = unverified || TOPUP_ROWS[source]?.source !== "unverified";
    return isOn && topups.some((pair) => pair.source === source && pair.destination === destination);
  };
  return {
    name,
    account,
    objectPage: (_kind, reference) => (dashboard_url === undefined ? null : btcpayPage(dashboard_url, reference)),
    ...offersOf(config, {}, {}),
    quoteTopup: async (source, destination, at, signal) =>
      at === environment && isOffered(source, destination) ? quoteTopup(context, source, destination, signal) : null,
    createPayment: async () => TOPUPS_ONLY,
    queryPayment: async () => [TOPUPS_ONLY],
    createPayout: async () => TOPUPS_ONLY,
    queryPayout: async () => [TOPUPS_ONLY],
    createTopup: (request, signal) => createTopup(context, request, signal),
    queryTopup: (request, signal) => queryTopup(context, request, signal),
  };
}
