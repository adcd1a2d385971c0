import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import { payoutBody, RECIPIENT } from "../rest/bodies";
import type { Api } from "../support/api";

/** Creates a payout that awaits approval, of 25.04 BRL by default. */
export async function createPayout(
  api: Api,
  holderName: string,
  { amount = "2504", reference }: { readonly amount?: string; readonly reference?: string } = {},
): Promise<PayoutIntentResource> {
  const { body, status } = await api.post(
    "/payout_intents",
    payoutBody({
      amount,
      recipient: { ...RECIPIENT, holder_name: holderName },
      ...(reference === undefined ? {} : { merchant_reference: reference }),
    }),
  );
  if (status !== 201) throw new Error(`the payout was answered with ${status}`);
  return body as PayoutIntentResource;
}

/** Reads the payout over REST. */
export async function readPayout(api: Api, id: string): Promise<PayoutIntentResource> {
  return (await api.get(`/payout_intents/${id}`)).body as PayoutIntentResource;
}
