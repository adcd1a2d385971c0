// The state of a provider: a word, an icon and a color, and what it means.
import { CircleCheck, CirclePause, CircleX, Hourglass, type LucideIcon, Unplug } from "lucide-react";
import type { ProviderState } from "@/server/domain/provider-health";
import { Badge, type BadgeTone } from "../ui/badge";

interface StateLook {
  readonly label: string;
  readonly tone: BadgeTone;
  readonly Icon: LucideIcon;
  /** What it means for the merchant's work; null if all is well. */
  readonly meaning: string | null;
}

const LOOKS: Readonly<Record<ProviderState, StateLook>> = {
  working: { label: "Working", tone: "good", Icon: CircleCheck, meaning: null },
  late: {
    label: "Work is late",
    tone: "warn",
    Icon: Hourglass,
    meaning: "Some of your open intents should have been followed up over a minute ago.",
  },
  no_answers: {
    label: "Not answering",
    tone: "bad",
    Icon: CircleX,
    meaning:
      "Most recent calls got no usable answer. Sluice asks about each until it is certain; nothing is sent twice.",
  },
  paused: {
    label: "Paused",
    tone: "warn",
    Icon: CirclePause,
    meaning: "The operator holds back new payouts, or all new work, in the currencies below.",
  },
  not_configured: {
    label: "Not configured",
    tone: "bad",
    Icon: Unplug,
    meaning: "Your open intents wait until the operator configures this provider again.",
  },
};

export function StateMark({ state }: { readonly state: ProviderState }) {
  const { label, tone, Icon } = LOOKS[state];
  return <Badge tone={tone} Icon={Icon} label={label} />;
}

export function meaningOf(state: ProviderState): string | null {
  return LOOKS[state].meaning;
}
