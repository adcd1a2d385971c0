import { CircleCheck, CircleSlash, CircleX, type LucideIcon, Send, Undo2, UserCheck } from "lucide-react";
import type { RefundState } from "@/server/domain/suspense-refund";
import type { PresentedRefund } from "@/server/trpc/present/refund";
import type { BadgeTone } from "../ui/badge";

interface StateWords {
  readonly label: string;
  readonly tone: BadgeTone;
  readonly Icon: LucideIcon;
  readonly meaning: string;
}

export const REFUND_WORDS: Readonly<Record<RefundState, StateWords>> = {
  proposed: {
    label: "Refund to confirm",
    tone: "warn",
    Icon: UserCheck,
    meaning: "Nothing is sent before another person confirms it. Until then nobody decides otherwise about the money.",
  },
  rejected: { label: "Refund rejected", tone: "over", Icon: CircleSlash, meaning: "Nothing was sent." },
  confirmed: {
    label: "Refund on its way",
    tone: "busy",
    Icon: Send,
    meaning: "The money stays in suspense until the provider reports that its payer has it.",
  },
  settled: { label: "Refunded", tone: "good", Icon: CircleCheck, meaning: "The payer has the money." },
  failed: {
    label: "Refund failed",
    tone: "bad",
    Icon: CircleX,
    meaning: "The provider did not refund the money. It is still in suspense: decide on it again.",
  },
  returned: {
    label: "Refund came back",
    tone: "warn",
    Icon: Undo2,
    meaning: "The provider had refunded the money, and it came back. It is in suspense, with an exception of its own.",
  },
};

/** The refund that is proposed or on its way, if any. */
export function openRefundOf(refunds: readonly PresentedRefund[]): PresentedRefund | undefined {
  return refunds.find(({ state }) => state === "proposed" || state === "confirmed");
}
