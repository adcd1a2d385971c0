// What the calls about top-ups share.
import type { Environment } from "@/server/domain/scope";
import type { BtcpayClient } from "./client";

export interface BtcpayContext {
  readonly client: BtcpayClient;
  /** The id of the store. */
  readonly account: string;
  readonly environment: Environment;
  /** BTCPay's policy; null for that of each token. */
  readonly speedPolicy: string | null;
  readonly monitoringMinutes: number;
}
