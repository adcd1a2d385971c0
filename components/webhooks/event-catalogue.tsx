// The catalogue of events of GET /webhook_events, with an example of each payload.
"use client";
import { useQuery } from "@tanstack/react-query";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { CodeBlock } from "../ui/code-block";
import { PageHeader } from "../ui/page-header";
import { Panel } from "../ui/panel";
import { type AnyStatus, StatusBadge } from "../ui/status-badge";
import { TextLink } from "../ui/text-link";
import { WebhookTabs } from "./webhook-tabs";

export function EventCatalogue() {
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.webhookEvents.list.queryOptions({ environment }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader
        title="Webhook events"
        about="The closed list of what is told to your endpoints. Each intent ends with at most one event."
      >
        <p className="text-sm">
          <TextLink href="/v1/webhook_events">GET /v1/webhook_events</TextLink>
        </p>
      </PageHeader>
      <WebhookTabs />
      <ul className="grid gap-4">
        {data?.events.map(({ event, description, payload }) => (
          <li key={event}>
            <Panel className="grid gap-4 max-lg:grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)] lg:gap-8">
              <div className="grid content-start justify-items-start gap-2">
                <h2 className="font-mono text-base font-medium tracking-normal wrap-anywhere">{event}</h2>
                <StatusBadge status={payload.status as AnyStatus} />
                <p className="text-sm text-ink-soft">{description}</p>
              </div>
              <CodeBlock title={`Payload of ${event}`} code={JSON.stringify(payload, null, 2)} />
            </Panel>
          </li>
        ))}
      </ul>
    </div>
  );
}
