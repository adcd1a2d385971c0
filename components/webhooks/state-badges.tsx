import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  CircleX,
  Hourglass,
  type LucideIcon,
  TriangleAlert,
} from "lucide-react";
import type { EndpointResource } from "@/server/contract/webhooks";
import type { DeliveryState } from "@/server/domain/delivery";
import type { EndpointCondition } from "@/server/domain/endpoint-condition";
import type { PresentedHealth } from "@/server/trpc/present/endpoint-health";
import { Badge, type BadgeTone } from "../ui/badge";

interface BadgeStyle {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly tone: BadgeTone;
}

/** An endpoint that was sent nothing lately is enabled, but not known to be well. */
const ENDPOINT_LOOKS: Readonly<Record<EndpointCondition, BadgeStyle>> = {
  idle: { label: "Enabled", Icon: CircleDashed, tone: "over" },
  healthy: { label: "Enabled", Icon: CircleCheck, tone: "good" },
  unstable: { label: "Unreliable", Icon: TriangleAlert, tone: "warn" },
  failing: { label: "Failing", Icon: CircleX, tone: "bad" },
  paused: { label: "Paused", Icon: CirclePause, tone: "warn" },
  disabled: { label: "Disabled", Icon: CircleSlash, tone: "bad" },
};

const DELIVERY_LOOKS: Readonly<Record<DeliveryState, BadgeStyle>> = {
  pending: { label: "Pending", Icon: Hourglass, tone: "busy" },
  delivered: { label: "Delivered", Icon: CircleCheck, tone: "good" },
  failed: { label: "Failed", Icon: CircleX, tone: "bad" },
  skipped: { label: "Skipped", Icon: CircleSlash, tone: "over" },
};

interface EndpointBadgeProps {
  readonly endpoint: Pick<EndpointResource, "state" | "failing_since">;
  readonly health: PresentedHealth | undefined;
}

/** The condition; while the figures are not known, what the endpoint itself says. */
export function EndpointBadge({ endpoint, health }: EndpointBadgeProps) {
  const { state, failing_since: since } = endpoint;
  const known = state !== "enabled" ? state : since !== null ? "failing" : "idle";
  return <Badge {...ENDPOINT_LOOKS[health?.condition ?? known]} />;
}

export function DeliveryBadge({ state }: { readonly state: DeliveryState }) {
  return <Badge {...DELIVERY_LOOKS[state]} />;
}

/** The state in a word, for buttons that filter a list. */
export function deliveryWord(state: DeliveryState): string {
  return DELIVERY_LOOKS[state].label;
}
