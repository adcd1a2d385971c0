// The catalogue of events of GET /webhook_events, with an example of each message.
"use client";
import { useQuery } from "@tanstack/react-query";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { CodeBlock } from "../ui/code-block";
import { PageHeader } from "../ui/page-header";
import { Panel } from "../ui/panel";
import { type AnyStatus, StatusBadge } from "../ui/status-badge";
import { TextLink } from "../ui/text-link";
import { EXAMPLE_HEADERS, exampleBody } from "./example-message";
import { WebhookTabs } from "./webhook-tabs";

export function EventCatalogue() {
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.webhookEvents.list.queryOptions({ environment }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader title="Webhook events" about="All events Sluice can send. Each intent ends with at most one event.">
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
              <Message event={event} payload={payload} />
            </Panel>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface MessageProps {
  readonly event: string;
  readonly payload: object;
}

/** A whole message as an endpoint receives it; the event's own part is marked. */
function Message({ event, payload }: MessageProps) {
  const { environment } = useShell();
  const headers = Object.entries(EXAMPLE_HEADERS).map(([name, value]) => `${name}: ${value}`);
  const data = JSON.stringify({ data: payload }, null, 2).split("\n").slice(1, -1).join("\n");
  return (
    <div className="grid min-w-0 content-start gap-3">
      <CodeBlock title={`Headers of ${event}`} code={headers.join("\n")} />
      <CodeBlock
        title={`Body of ${event}`}
        code={JSON.stringify(exampleBody(event, environment, payload), null, 2)}
        marked={data}
      />
    </div>
  );
}
