import { CircleCheck, CircleSlash, Hourglass, type LucideIcon, TimerOff } from "lucide-react";
import type { ApiKeyState } from "@/server/domain/api-key";
import { Badge, type BadgeTone } from "../ui/badge";

const LOOKS: Readonly<
  Record<ApiKeyState, { readonly label: string; readonly Icon: LucideIcon; readonly tone: BadgeTone }>
> = {
  active: { label: "Active", Icon: CircleCheck, tone: "good" },
  expiring: { label: "Being replaced", Icon: Hourglass, tone: "warn" },
  expired: { label: "Expired", Icon: TimerOff, tone: "over" },
  revoked: { label: "Revoked", Icon: CircleSlash, tone: "over" },
};

export function KeyBadge({ state }: { readonly state: ApiKeyState }) {
  return <Badge {...LOOKS[state]} />;
}
