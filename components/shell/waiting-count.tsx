// The number of payouts that await this member's approval.
"use client";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { usePollingInterval } from "./live-changes";
import { useMay, useShell } from "./shell-context";

/** Renders nothing for members who cannot approve, and for zero. */
export function WaitingCount() {
  const texts = useTexts();
  const { environment } = useShell();
  const mayDecide = useMay("decide_payouts");
  const trpc = useTRPC();
  const pollingInterval = usePollingInterval();
  const { data } = useQuery({
    ...trpc.payoutIntents.waiting.queryOptions({ environment }, BACKGROUND),
    enabled: mayDecide,
    refetchInterval: pollingInterval,
  });
  if (!data || data.waiting === 0) return null;
  const text = data.waiting >= data.cap ? `${data.cap}+` : String(data.waiting);
  return (
    <span className="figures ml-auto rounded-sm bg-warn-soft px-1.5 text-xs font-semibold text-warn">
      {text}
      <span className="sr-only"> {texts("shell.waitingForYou")}</span>
    </span>
  );
}
