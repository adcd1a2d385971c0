import { CircleCheck, CircleX, Copy, Landmark, type LucideIcon, Receipt, Scale } from "lucide-react";
import { LINE_VERDICTS, type LineVerdict } from "@/server/domain/settlement-line";
import { Badge, type BadgeTone } from "../ui/badge";

interface VerdictStyle {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly tone: BadgeTone;
}

export const VERDICT_LOOKS: Readonly<Record<LineVerdict, VerdictStyle>> = {
  matched: { label: "Matched", Icon: CircleCheck, tone: "good" },
  amount_mismatch: { label: "Amount mismatch", Icon: Scale, tone: "bad" },
  missing_internal: { label: "Not in our books", Icon: CircleX, tone: "bad" },
  duplicate: { label: "Duplicate", Icon: Copy, tone: "warn" },
  fee: { label: "Fee", Icon: Receipt, tone: "over" },
  bank: { label: "Bank transfer", Icon: Landmark, tone: "over" },
};

const COUNTED: Readonly<Record<LineVerdict, readonly [one: string, many: string]>> = {
  matched: ["match", "matches"],
  amount_mismatch: ["mismatch", "mismatches"],
  missing_internal: ["not in our books", "not in our books"],
  duplicate: ["duplicate", "duplicates"],
  fee: ["fee", "fees"],
  bank: ["bank transfer", "bank transfers"],
};

/** "2 mismatches". */
export function countedVerdict(count: number, verdict: LineVerdict): string {
  return `${count.toLocaleString("en")} ${COUNTED[verdict][count === 1 ? 0 : 1]}`;
}

/** "2 matches, 1 mismatch", in the order of the verdicts. */
export function countedVerdicts(verdicts: readonly LineVerdict[]): string {
  return LINE_VERDICTS.flatMap((one) => {
    const count = verdicts.filter((verdict) => verdict === one).length;
    return count === 0 ? [] : [countedVerdict(count, one)];
  }).join(", ");
}

export function VerdictBadge({ verdict }: { readonly verdict: LineVerdict }) {
  return <Badge {...VERDICT_LOOKS[verdict]} />;
}
