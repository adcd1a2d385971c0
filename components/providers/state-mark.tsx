// The state of a provider: a word, an icon and a color, and what it means.

import { CircleCheck, CirclePause, CircleX, Hourglass, type LucideIcon, Unplug } from "lucide-react";
import type { ProviderState } from "@/server/domain/provider-health";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { Badge, type BadgeTone } from "../ui/badge";

interface StateLook {
  readonly label: string;
  readonly tone: BadgeTone;
  readonly Icon: LucideIcon;
  /** What it means for the merchant's work; null if all is well. */
  readonly meaning: string | null;
}

const looksIn = (texts: Texts): Readonly<Record<ProviderState, StateLook>> => ({
  working: { label: texts("providers.working"), tone: "good", Icon: CircleCheck, meaning: null },
  late: {
    label: texts("providers.workIsLate"),
    tone: "warn",
    Icon: Hourglass,
    meaning: texts("providers.pollsLate"),
  },
  no_answers: {
    label: texts("providers.notAnswering"),
    tone: "bad",
    Icon: CircleX,
    meaning: texts("providers.mostCallsFail"),
  },
  paused: {
    label: texts("providers.paused"),
    tone: "warn",
    Icon: CirclePause,
    meaning: texts("providers.heldByOperator"),
  },
  not_configured: {
    label: texts("providers.notConfigured"),
    tone: "bad",
    Icon: Unplug,
    meaning: texts("providers.waitsForOperator"),
  },
});

export function StateMark({ state }: { readonly state: ProviderState }) {
  const texts = useTexts();
  const { label, tone, Icon } = looksIn(texts)[state];
  return <Badge tone={tone} Icon={Icon} label={label} />;
}

export function meaningOf(texts: Texts, state: ProviderState): string | null {
  return looksIn(texts)[state].meaning;
}
