// A word, an icon and a color for every status of every kind of intent.

import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  CircleX,
  Hourglass,
  type LucideIcon,
  TimerOff,
} from "lucide-react";
import type { PaymentStatus } from "@/server/domain/payment-transitions";
import type { PayoutStatus } from "@/server/domain/payout-transitions";
import type { TopupStatus } from "@/server/domain/topup-transitions";
import { Badge, type BadgeTone } from "./badge";

export type AnyStatus = PaymentStatus | PayoutStatus | TopupStatus;

interface StatusLook {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly tone: BadgeTone;
}

export const STATUS_LOOKS: Readonly<Record<AnyStatus, StatusLook>> = {
  processing: { label: "Processing", Icon: CircleDashed, tone: "busy" },
  requires_action: { label: "Waiting for payer", Icon: Hourglass, tone: "warn" },
  requires_approval: { label: "Needs approval", Icon: CirclePause, tone: "warn" },
  requires_payment: { label: "Waiting for funds", Icon: Hourglass, tone: "warn" },
  succeeded: { label: "Succeeded", Icon: CircleCheck, tone: "good" },
  failed: { label: "Failed", Icon: CircleX, tone: "bad" },
  expired: { label: "Expired", Icon: TimerOff, tone: "over" },
  cancelled: { label: "Cancelled", Icon: CircleSlash, tone: "over" },
};

interface StatusBadgeProps {
  readonly status: AnyStatus;
  /** Other words, for readers who do not know the statuses. */
  readonly label?: string;
}

export function StatusBadge({ status, label }: StatusBadgeProps) {
  const style = STATUS_LOOKS[status];
  return <Badge tone={style.tone} Icon={style.Icon} label={label ?? style.label} />;
}
