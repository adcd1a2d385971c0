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
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { Badge, type BadgeTone } from "../ui/badge";

interface BadgeStyle {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly tone: BadgeTone;
}

/** An endpoint that was sent nothing lately is enabled, but not known to be well. */
const endpointLooksIn = (texts: Texts): Readonly<Record<EndpointCondition, BadgeStyle>> => ({
  idle: { label: texts("webhooks.enabled"), Icon: CircleDashed, tone: "over" },
  healthy: { label: texts("webhooks.enabled"), Icon: CircleCheck, tone: "good" },
  unstable: { label: texts("webhooks.unreliable"), Icon: TriangleAlert, tone: "warn" },
  failing: { label: texts("webhooks.failing"), Icon: CircleX, tone: "bad" },
  paused: { label: texts("webhooks.paused"), Icon: CirclePause, tone: "warn" },
  disabled: { label: texts("webhooks.disabled"), Icon: CircleSlash, tone: "bad" },
});

const deliveryLooksIn = (texts: Texts): Readonly<Record<DeliveryState, BadgeStyle>> => ({
  pending: { label: texts("webhooks.pending"), Icon: Hourglass, tone: "busy" },
  delivered: { label: texts("webhooks.delivered"), Icon: CircleCheck, tone: "good" },
  failed: { label: texts("webhooks.failed"), Icon: CircleX, tone: "bad" },
  skipped: { label: texts("webhooks.skipped"), Icon: CircleSlash, tone: "over" },
});

interface EndpointBadgeProps {
  readonly endpoint: Pick<EndpointResource, "state" | "failing_since">;
  readonly health: PresentedHealth | undefined;
}

/** The condition; while the figures are not known, what the endpoint itself says. */
export function EndpointBadge({ endpoint, health }: EndpointBadgeProps) {
  const texts = useTexts();
  const { state, failing_since: since } = endpoint;
  const known = state !== "enabled" ? state : since !== null ? "failing" : "idle";
  return <Badge {...endpointLooksIn(texts)[health?.condition ?? known]} />;
}

export function DeliveryBadge({ state }: { readonly state: DeliveryState }) {
  const texts = useTexts();
  return <Badge {...deliveryLooksIn(texts)[state]} />;
}

/** The state in a word, for buttons that filter a list. */
export function deliveryWord(texts: Texts, state: DeliveryState): string {
  return deliveryLooksIn(texts)[state].label;
}
