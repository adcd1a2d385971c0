// The channels on which providers send callbacks. They belong to no merchant.
import { queryAcrossMerchants } from "./client";

/** A payment method, or the token of a top-up, at a provider. */
export interface CallbackChannel {
  readonly provider: string;
  readonly channel: string;
}

/** Notes that a callback about an intent of the channel arrived now; writes at most once a minute. */
export async function noteCallbackAcrossMerchants({ provider, channel }: CallbackChannel): Promise<void> {
  await queryAcrossMerchants(
    `INSERT INTO callback_channel AS c (provider, channel, reported_at) VALUES ($1, $2, now())
     ON CONFLICT (provider, channel) DO UPDATE SET reported_at = excluded.reported_at
       WHERE c.reported_at < excluded.reported_at - interval '1 minute'`,
    provider,
    channel,
  );
}

/** The channels of which a callback arrived within the last `seconds`. */
export function listReportingChannelsAcrossMerchants(seconds: number): Promise<CallbackChannel[]> {
  return queryAcrossMerchants<CallbackChannel>(
    "SELECT provider, channel FROM callback_channel WHERE reported_at > now() - $1 * interval '1 second'",
    seconds,
  );
}
