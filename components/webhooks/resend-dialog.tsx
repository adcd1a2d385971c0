// Sends several deliveries again: lists them, then shows the verdict for each.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { CircleCheck, CircleX, Hourglass, type LucideIcon } from "lucide-react";
import type { PresentedDelivery } from "@/server/trpc/present/delivery";
import type { AppRouter } from "@/server/trpc/router";
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

const VERDICTS: Readonly<Record<Verdict, VerdictLook>> = {
  due: { text: "Being sent again", Icon: CircleCheck, color: "text-good" },
  waits: { text: "Waits until the endpoint is enabled", Icon: Hourglass, color: "text-warn" },
  sending: { text: "Was being sent already; nothing changed", Icon: Hourglass, color: "text-busy" },
  disabled: { text: "Not sent: enable the endpoint first", Icon: CircleX, color: "text-bad" },
  gone: { text: "Not sent: its endpoint has been deleted", Icon: CircleX, color: "text-bad" },
};

interface ResendDialogProps {
  readonly deliveries: readonly PresentedDelivery[];
  /** After the verdicts. */
  readonly onClose: () => void;
  /** Without sending; the selection stays. */
  readonly onBack: () => void;
}

export default function ResendDialog({ deliveries, onClose, onBack }: ResendDialogProps) {
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
  const count = `${deliveries.length} ${deliveries.length === 1 ? "delivery" : "deliveries"}`;
  const sent = results?.filter(({ verdict }) => verdict === "due").length;
  const leave = results ? onClose : onBack;
  return (
    <Dialog title={results ? `${sent} of ${results.length} being sent again` : `Resend ${count}?`} onClose={leave}>
      {results ? null : (
        <p className="text-sm">
          Each is sent now, with the same id and body, and retried by the schedule if it is not accepted. One failing
          does not stop the others.
        </p>
      )}
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer, the focus is the only way to scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- for the same reason
        tabIndex={0}
        aria-label="Deliveries"
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
          {failureOf(resend.error).message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={leave}>
          {results ? "Close" : "Cancel"}
        </Button>
        {results ? null : (
          <Button
            size="medium"
            tone="primary"
            aria-disabled={resend.isPending || undefined}
            onClick={() => resend.isPending || resend.mutate({ environment, ids: deliveries.map(({ id }) => id) })}
          >
            {resend.isPending ? "Sending…" : `Resend ${count}`}
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
  const look = verdict === undefined ? null : VERDICTS[verdict];
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
