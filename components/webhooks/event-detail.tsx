// One event: its message, what it is about, and its deliveries.
"use client";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
import { Facts } from "../intents/facts";
import { BackTo } from "../shell/back-to";
import { ObjectLink } from "../shell/object-link";
import { RequestsLink } from "../shell/requests-link";
import { useMay, useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { CodeBlock } from "../ui/code-block";
import { CopyButton } from "../ui/copy-button";
import { Panel } from "../ui/panel";
import { prettyJson } from "../ui/pretty-json";
import { DeliveryRows } from "./delivery-rows";

const ASK_EVERY_MS = 5_000;

export function EventDetail({ id }: { readonly id: string }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data: event } = useQuery(trpc.events.get.queryOptions({ environment, id }));
  const mayRead = useMay("read_api_logs");
  if (!event) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <header className="grid gap-4">
        <BackTo path="webhooks/events" label={texts("webhooks.events")} />
        <div className="grid gap-2">
          <h1 className="font-mono text-lg wrap-anywhere">{event.type}</h1>
          <p className="flex flex-wrap items-center gap-x-1 font-mono text-xs text-ink-soft">
            <span className="wrap-anywhere">{id}</span>
            <CopyButton text={id} what={texts("webhooks.id")} />
          </p>
        </div>
      </header>
      <div className="grid gap-6 max-lg:grid-cols-[minmax(0,1fr)] lg:grid-cols-2">
        <Panel className="self-start">
          <Facts
            facts={[
              [texts("webhooks.about"), <ObjectLink key="about" id={event.intent_id} />],
              [texts("webhooks.when"), <LocalTime key="at" iso={event.created_at} />],
              mayRead ? [texts("webhooks.requests"), <RequestsLink key="requests" objectId={event.intent_id} />] : null,
            ]}
          />
        </Panel>
        <CodeBlock title={texts("webhooks.message")} code={prettyJson(event.body)} />
      </div>
      <Deliveries id={id} />
    </div>
  );
}

function Deliveries({ id }: { readonly id: string }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const poll = { refetchInterval: ASK_EVERY_MS };
  const { data } = useQuery({
    ...trpc.deliveries.list.queryOptions({ environment, event_id: id, limit: "100" }, BACKGROUND),
    ...poll,
  });
  const { data: endpoints } = useQuery({
    ...trpc.webhookEndpoints.list.queryOptions({ environment }, BACKGROUND),
    ...poll,
  });
  if (!data || !endpoints) return null;
  const urls = new Map(endpoints.endpoints.map((endpoint) => [endpoint.id, endpoint.url]));
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-4" aria-labelledby="deliveries">
      <h2 id="deliveries" className="text-lg">
        {texts("webhooks.deliveries")}
      </h2>
      {data.data.length === 0 ? (
        <p className="rounded-lg border border-dashed border-line-strong px-6 py-10 text-center text-sm text-ink-soft">
          {texts("webhooks.notSubscribed")}
        </p>
      ) : (
        <DeliveryRows deliveries={data.data} urlOf={(endpoint) => urls.get(endpoint) ?? null} names="endpoint" />
      )}
    </section>
  );
}
