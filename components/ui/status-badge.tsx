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
import type { TextKey } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { Badge, type BadgeTone } from "./badge";

export type AnyStatus = PaymentStatus | PayoutStatus | TopupStatus;

interface StatusLook {
  readonly labelKey: TextKey;
  readonly Icon: LucideIcon;
  readonly tone: BadgeTone;
}

export const STATUS_LOOKS: Readonly<Record<AnyStatus, StatusLook>> = {
  processing: { labelKey: "common.processing", Icon: CircleDashed, tone: "busy" },
  requires_action: { labelKey: "common.waitingForPayer", Icon: Hourglass, tone: "warn" },
  requires_approval: { labelKey: "common.needsApproval", Icon: CirclePause, tone: "warn" },
  requires_payment: { labelKey: "common.waitingForFunds", Icon: Hourglass, tone: "warn" },
  succeeded: { labelKey: "common.succeeded", Icon: CircleCheck, tone: "good" },
  failed: { labelKey: "common.failed", Icon: CircleX, tone: "bad" },
  expired: { labelKey: "common.expired", Icon: TimerOff, tone: "over" },
  cancelled: { labelKey: "common.cancelled", Icon: CircleSlash, tone: "over" },
};

interface StatusMarkProps {
  readonly status: AnyStatus;
  readonly label: string;
}

/** The badge in other words, for readers who do not know the statuses. */
export function StatusMark({ status, label }: StatusMarkProps) {
  const { tone, Icon } = STATUS_LOOKS[status];
  return <Badge tone={tone} Icon={Icon} label={label} />;
}

export function StatusBadge({ status }: { readonly status: AnyStatus }) {
  const texts = useTexts();
  return <StatusMark status={status} label={texts(STATUS_LOOKS[status].labelKey)} />;
}
