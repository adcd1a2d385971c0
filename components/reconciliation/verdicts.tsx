import { CircleCheck, CircleX, Copy, Landmark, type LucideIcon, Receipt, Scale } from "lucide-react";
import type { LineVerdict } from "@/server/domain/settlement-line";
import { Badge, type BadgeTone } from "../ui/badge";

interface VerdictStyle {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly tone: BadgeTone;
}

export const VERDICT_LOOKS: Readonly<Record<LineVerdict, VerdictStyle>> = {
  matched: { label: "Matched", Icon: CircleCheck, tone: "good" },
  amount_mismatch: { label: "Differing sum", Icon: Scale, tone: "bad" },
  missing_internal: { label: "Not in our books", Icon: CircleX, tone: "bad" },
  duplicate: { label: "Settled twice", Icon: Copy, tone: "warn" },
  fee: { label: "Fee", Icon: Receipt, tone: "over" },
  bank: { label: "Bank transfer", Icon: Landmark, tone: "over" },
};

export function VerdictBadge({ verdict }: { readonly verdict: LineVerdict }) {
  return <Badge {...VERDICT_LOOKS[verdict]} />;
}
