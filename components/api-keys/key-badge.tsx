import { CircleCheck, CircleSlash, Hourglass, type LucideIcon, TimerOff } from "lucide-react";
import type { ApiKeyState } from "@/server/domain/api-key";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { Badge, type BadgeTone } from "../ui/badge";

const looksIn = (
  texts: Texts,
): Readonly<Record<ApiKeyState, { readonly label: string; readonly Icon: LucideIcon; readonly tone: BadgeTone }>> => ({
  active: { label: texts("keys.active"), Icon: CircleCheck, tone: "good" },
  expiring: { label: texts("keys.beingReplaced"), Icon: Hourglass, tone: "warn" },
  expired: { label: texts("keys.expired"), Icon: TimerOff, tone: "over" },
  revoked: { label: texts("keys.revoked"), Icon: CircleSlash, tone: "over" },
});

export function KeyBadge({ state }: { readonly state: ApiKeyState }) {
  const texts = useTexts();
  return <Badge {...looksIn(texts)[state]} />;
}
