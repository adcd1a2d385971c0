import { CircleCheck, CircleX, Copy, Landmark, type LucideIcon, Receipt, Scale } from "lucide-react";
import { LINE_VERDICTS, type LineVerdict } from "@/server/domain/settlement-line";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { Badge, type BadgeTone } from "../ui/badge";

interface VerdictStyle {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly tone: BadgeTone;
}

export const verdictLooksIn = (texts: Texts): Readonly<Record<LineVerdict, VerdictStyle>> => ({
  matched: { label: texts("reconciliation.matched"), Icon: CircleCheck, tone: "good" },
  amount_mismatch: { label: texts("reconciliation.amountMismatch"), Icon: Scale, tone: "bad" },
  missing_internal: { label: texts("reconciliation.notInOurBooks"), Icon: CircleX, tone: "bad" },
  duplicate: { label: texts("reconciliation.duplicate"), Icon: Copy, tone: "warn" },
  fee: { label: texts("reconciliation.fee"), Icon: Receipt, tone: "over" },
  bank: { label: texts("reconciliation.bankTransfer"), Icon: Landmark, tone: "over" },
});

/** "2 mismatches". */
export function countedVerdict(texts: Texts, count: number, verdict: LineVerdict): string {
  return texts(`reconciliation.counted_${verdict}`, { count });
}

/** "2 matches, 1 mismatch", in the order of the verdicts. */
export function countedVerdicts(texts: Texts, verdicts: readonly LineVerdict[]): string {
  return LINE_VERDICTS.flatMap((one) => {
    const count = verdicts.filter((verdict) => verdict === one).length;
    return count === 0 ? [] : [countedVerdict(texts, count, one)];
  }).join(", ");
}

export function VerdictBadge({ verdict }: { readonly verdict: LineVerdict }) {
  const texts = useTexts();
  return <Badge {...verdictLooksIn(texts)[verdict]} />;
}
