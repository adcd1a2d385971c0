import { CircleCheck, CircleSlash, CircleX, type LucideIcon, Send, Undo2, UserCheck } from "lucide-react";
import type { RefundState } from "@/server/domain/suspense-refund";
import type { PresentedRefund } from "@/server/trpc/present/refund";
import type { Texts } from "../i18n/dashboard-texts";
import type { BadgeTone } from "../ui/badge";

interface StateWords {
  readonly label: string;
  readonly tone: BadgeTone;
  readonly Icon: LucideIcon;
  readonly meaning: string;
}

export const refundWordsIn = (texts: Texts): Readonly<Record<RefundState, StateWords>> => ({
  proposed: {
    label: texts("exceptions.refundToConfirm"),
    tone: "warn",
    Icon: UserCheck,
    meaning: texts("exceptions.proposedRefundAbout"),
  },
  rejected: {
    label: texts("exceptions.refundRejected"),
    tone: "over",
    Icon: CircleSlash,
    meaning: texts("exceptions.nothingWasSent"),
  },
  confirmed: {
    label: texts("exceptions.refundOnItsWay"),
    tone: "busy",
    Icon: Send,
    meaning: texts("exceptions.sentRefundAbout"),
  },
  settled: {
    label: texts("exceptions.refunded"),
    tone: "good",
    Icon: CircleCheck,
    meaning: texts("exceptions.paidRefundAbout"),
  },
  failed: {
    label: texts("exceptions.refundFailed"),
    tone: "bad",
    Icon: CircleX,
    meaning: texts("exceptions.failedRefundAbout"),
  },
  returned: {
    label: texts("exceptions.refundCameBack"),
    tone: "warn",
    Icon: Undo2,
    meaning: texts("exceptions.returnedRefundAbout"),
  },
});

/** The refund that is proposed or on its way, if any. */
export function openRefundOf(refunds: readonly PresentedRefund[]): PresentedRefund | undefined {
  return refunds.find(({ state }) => state === "proposed" || state === "confirmed");
}
