import type { Fact } from "../intents/facts";
import { TextLink } from "../ui/text-link";
import type { Payout } from "./payout";

/** The batch of a payout, with a link to its page; null for a payout by itself. */
export function batchFact({ batch_id: id }: Payout, environment: string): Fact | null {
  if (id === null) return null;
  return [
    "Batch",
    <TextLink key="batch" href={`/${environment}/payouts/batches/${id}`}>
      All payouts of its file
    </TextLink>,
  ];
}
