// Says on every page that the operator has suspended the merchant.
"use client";
import { useQuery } from "@tanstack/react-query";
import { OctagonX } from "lucide-react";
import { useTexts } from "../i18n/use-texts";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { usePollingInterval } from "./live-changes";
import { useShell } from "./shell-context";

/** Appears and disappears on open pages too. */
export function SuspensionBanner() {
  const texts = useTexts();
  const { isSuspended } = useShell();
  const trpc = useTRPC();
  const refetchInterval = usePollingInterval();
  const { data } = useQuery({ ...trpc.session.me.queryOptions(undefined, BACKGROUND), refetchInterval });
  if (!(data?.is_merchant_suspended ?? isSuspended)) return null;
  return (
    <p className="flex items-center justify-center gap-2 bg-bad-soft px-4 py-1.5 text-xs font-medium text-bad">
      <OctagonX className="size-4 shrink-0" aria-hidden="true" />
      {texts("shell.suspended")}
    </p>
  );
}
