// Sends several deliveries again: lists them, then shows the verdict for each.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { CircleCheck, CircleX, Hourglass, type LucideIcon } from "lucide-react";
import type { PresentedDelivery } from "@/server/trpc/present/delivery";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";

type Verdict = inferRouterOutputs<AppRouter>["deliveries"]["resendMany"][number]["verdict"];

interface VerdictLook {
  readonly text: string;
  readonly Icon: LucideIcon;
  readonly color: string;
}

const verdictsIn = (texts: Texts): Readonly<Record<Verdict, VerdictLook>> => ({
  due: { text: texts("webhooks.beingSentAgain"), Icon: CircleCheck, color: "text-good" },
  waits: { text: texts("webhooks.waitsForEndpoint"), Icon: Hourglass, color: "text-warn" },
  sending: { text: texts("webhooks.sentAlready"), Icon: Hourglass, color: "text-busy" },
  disabled: { text: texts("webhooks.notSentDisabled"), Icon: CircleX, color: "text-bad" },
  gone: { text: texts("webhooks.notSentDeleted"), Icon: CircleX, color: "text-bad" },
});

interface ResendDialogProps {
  readonly deliveries: readonly PresentedDelivery[];
  /** After the verdicts. */
  readonly onClose: () => void;
  /** Without sending; the selection stays. */
  readonly onBack: () => void;
}

export default function ResendDialog({ deliveries, onClose, onBack }: ResendDialogProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const resend = useMutation(
    trpc.deliveries.resendMany.mutationOptions({
      onSettled: () => {
        void queries.invalidateQueries({ queryKey: trpc.deliveries.list.queryKey() });
        void queries.invalidateQueries({ queryKey: trpc.webhookEndpoints.health.queryKey() });
      },
    }),
  );
  const results = resend.data;
  const count = deliveries.length;
  const sent = results?.filter(({ verdict }) => verdict === "due").length;
  const leave = results ? onClose : onBack;
  return (
    <Dialog
      title={
        results
          ? texts("webhooks.resentCount", { sent: sent ?? "", results: results.length })
          : texts("webhooks.resendTitle", { count })
      }
      onClose={leave}
    >
      {results ? null : <p className="text-sm">{texts("webhooks.resendEffect")}</p>}
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer, the focus is the only way to scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- for the same reason
        tabIndex={0}
        aria-label={texts("webhooks.deliveries")}
        className="grid max-h-72 overflow-y-auto rounded-md border border-line px-3.5 text-sm"
      >
        {deliveries.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            verdict={results?.find(({ id }) => id === delivery.id)?.verdict}
          />
        ))}
      </ul>
      {resend.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, resend.error).message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={leave}>
          {results ? texts("webhooks.close") : texts("webhooks.cancel")}
        </Button>
        {results ? null : (
          <Button
            size="medium"
            tone="primary"
            aria-disabled={resend.isPending || undefined}
            onClick={() => resend.isPending || resend.mutate({ environment, ids: deliveries.map(({ id }) => id) })}
          >
            {resend.isPending ? texts("webhooks.sending") : texts("webhooks.resendMany", { count })}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

interface DeliveryRowProps {
  readonly delivery: PresentedDelivery;
  readonly verdict: Verdict | undefined;
}

function DeliveryRow({ delivery, verdict }: DeliveryRowProps) {
  const texts = useTexts();
  const look = verdict === undefined ? null : verdictsIn(texts)[verdict];
  return (
    <li className="flex gap-2.5 border-t border-line py-2 first:border-t-0">
      {look ? <look.Icon className={`mt-0.5 size-4.5 shrink-0 ${look.color}`} aria-hidden="true" /> : null}
      <span className="grid min-w-0 gap-0.5">
        <span className="font-mono text-xs font-medium wrap-anywhere">{delivery.event_type}</span>
        <span className="font-mono text-xs text-ink-soft wrap-anywhere">{delivery.intent_id}</span>
        {look ? <span className={`text-xs ${look.color}`}>{look.text}</span> : null}
      </span>
    </li>
  );
}
