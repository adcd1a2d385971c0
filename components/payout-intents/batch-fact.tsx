import type { Texts } from "../i18n/dashboard-texts";
import type { Fact } from "../intents/facts";
import { TextLink } from "../ui/text-link";
import type { Payout } from "./payout";

/** The batch of a payout, with a link to its page; null for a payout by itself. */
export function batchFact(texts: Texts, { batch_id: id }: Payout, environment: string): Fact | null {
  if (id === null) return null;
  return [
    texts("payouts.batch"),
    <TextLink key="batch" href={`/${environment}/payouts/batches/${id}`}>
      {texts("payouts.batchLink")}
    </TextLink>,
  ];
}
