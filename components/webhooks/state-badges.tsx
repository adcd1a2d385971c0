import { CircleCheck, CirclePause, CircleSlash, CircleX, Hourglass, type LucideIcon } from "lucide-react";
import type { DeliveryState, EndpointState } from "@/server/domain/delivery";
import { Badge, type BadgeTone } from "../ui/badge";

interface BadgeStyle {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly tone: BadgeTone;
}

const ENDPOINT_LOOKS: Readonly<Record<EndpointState, BadgeStyle>> = {
  enabled: { label: "Enabled", Icon: CircleCheck, tone: "good" },
  paused: { label: "Paused", Icon: CirclePause, tone: "warn" },
  disabled: { label: "Disabled", Icon: CircleX, tone: "bad" },
};

const DELIVERY_LOOKS: Readonly<Record<DeliveryState, BadgeStyle>> = {
  pending: { label: "Pending", Icon: Hourglass, tone: "busy" },
  delivered: { label: "Delivered", Icon: CircleCheck, tone: "good" },
  failed: { label: "Failed", Icon: CircleX, tone: "bad" },
  skipped: { label: "Skipped", Icon: CircleSlash, tone: "over" },
};

export function EndpointBadge({ state }: { readonly state: EndpointState }) {
  return <Badge {...ENDPOINT_LOOKS[state]} />;
}

export function DeliveryBadge({ state }: { readonly state: DeliveryState }) {
  return <Badge {...DELIVERY_LOOKS[state]} />;
}

/** The state in a word, for buttons that filter a list. */
export function deliveryWord(state: DeliveryState): string {
  return DELIVERY_LOOKS[state].label;
}
