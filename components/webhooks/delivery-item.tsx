"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, RotateCw } from "lucide-react";
import type { DeliveryResource } from "@/server/contract/webhooks";
import { useShell } from "../shell/shell-context";
import { Age } from "../time/age";
import { LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { CodeBlock } from "../ui/code-block";
import { Notice } from "../ui/notice";
import { DeliveryBadge } from "./state-badges";

interface DeliveryItemProps {
  readonly delivery: DeliveryResource;
}

/** A line that unfolds; its attempts are already loaded. */
export function DeliveryItem({ delivery }: DeliveryItemProps) {
  const { event_id: eventId, event_type: type, attempt_count: count, next_attempt_at: next } = delivery;
  return (
    <details className="group border-b border-line bg-surface last:border-b-0">
      <summary className="flex list-none flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-3 text-sm hover:bg-canvas [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 shrink-0 text-ink-soft transition-transform duration-150 group-open:rotate-90"
          aria-hidden="true"
        />
        <span className="min-w-0 grow font-mono text-xs font-medium wrap-anywhere">{type}</span>
        <DeliveryBadge state={delivery.state} />
        <span className="w-24 text-ink-soft">{count === 1 ? "1 attempt" : `${count} attempts`}</span>
        <span className="w-24 text-right text-ink-soft max-sm:hidden">
          <Age iso={delivery.created_at} />
        </span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-4 sm:pl-12">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <p className="caption">
            <span className="font-mono wrap-anywhere">{eventId}</span>
            <span className="block">
              Created <LocalTime iso={delivery.created_at} />
              {next === null ? null : (
                <>
                  ; next attempt <LocalTime iso={next} />
                </>
              )}
            </span>
          </p>
          <ResendButton delivery={delivery} />
        </div>
        {delivery.attempts.length === 0 ? <p className="text-sm">No attempt has been made.</p> : null}
        <ol className="grid gap-4">
          {delivery.attempts.map((attempt) => (
            <li key={attempt.ordinal}>
              <Attempt attempt={attempt} />
            </li>
          ))}
        </ol>
      </div>
    </details>
  );
}

function ResendButton({ delivery }: DeliveryItemProps) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const resend = useMutation(
    trpc.deliveries.resend.mutationOptions({
      onSuccess: () => announce(`${delivery.event_type} is being sent again`),
      onSettled: () => queries.invalidateQueries({ queryKey: trpc.deliveries.list.queryKey() }),
    }),
  );
  return (
    <div className="grid justify-items-end gap-2">
      <Button
        size="small"
        aria-label={`Resend ${delivery.event_type} ${delivery.event_id}`}
        aria-disabled={resend.isPending || undefined}
        onClick={() => resend.isPending || resend.mutate({ environment, id: delivery.id })}
      >
        <RotateCw className="size-4" aria-hidden="true" />
        {resend.isPending ? "Sending…" : "Resend"}
      </Button>
      {resend.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(resend.error).message}
        </Notice>
      ) : null}
    </div>
  );
}

function Attempt({ attempt }: { readonly attempt: DeliveryResource["attempts"][number] }) {
  const { ordinal, response_status: status, error, error_detail: detail } = attempt;
  const headers = Object.entries(attempt.request_headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="figures text-sm">
        <strong className="font-semibold">Attempt {ordinal}</strong>: {status === null ? "no answer" : `HTTP ${status}`}{" "}
        after {attempt.duration_ms} ms, <LocalTime iso={attempt.attempted_at} />
      </p>
      {error === null ? null : <p className="text-sm text-bad wrap-anywhere">{detail ?? error}</p>}
      <CodeBlock title={`Request headers of attempt ${ordinal}`} code={headers.join("\n")} />
      {attempt.response_body === "" ? null : (
        <CodeBlock title={`Answer to attempt ${ordinal}`} code={attempt.response_body} />
      )}
    </div>
  );
}
