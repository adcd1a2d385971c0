"use client";
import { useQuery } from "@tanstack/react-query";
import type { EndpointResource } from "@/server/contract/webhooks";
import { Facts } from "../intents/facts";
import { BackTo } from "../shell/back-to";
import { RequestsLink } from "../shell/requests-link";
import { useMay, useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { CopyButton } from "../ui/copy-button";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { DeliveryList } from "./delivery-list";
import { EndpointActions } from "./endpoint-actions";
import { HealthPanel } from "./health-panel";
import { EndpointBadge } from "./state-badges";
import { useHealth } from "./use-health";

const ASK_EVERY_MS = 5_000;

const DISABLED_BECAUSE = {
  gone: "The receiver answered that it is gone (HTTP 410), so that nothing is sent to it any more.",
  failing: "The receiver accepted nothing for days, so that nothing is sent to it any more.",
} as const;

export function EndpointDetail({ id }: { readonly id: string }) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data: endpoint } = useQuery({
    ...trpc.webhookEndpoints.get.queryOptions({ environment, id }, BACKGROUND),
    refetchInterval: ASK_EVERY_MS,
  });
  const health = useHealth(id).get(id);
  if (!endpoint) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <header className="grid gap-4">
        <BackTo path="webhooks/endpoints" label="Webhook endpoints" />
        <div className="grid gap-2">
          <h1 className="flex flex-wrap items-center gap-x-4 gap-y-2 text-xl">
            <span className="wrap-anywhere">{endpoint.url}</span>
            <EndpointBadge endpoint={endpoint} health={health} />
          </h1>
          <p className="flex flex-wrap items-center gap-x-1 font-mono text-xs text-ink-soft">
            <span className="wrap-anywhere">{id}</span>
            <CopyButton text={id} what="id" />
          </p>
        </div>
        <EndpointActions endpoint={endpoint} />
        {endpoint.disabled_reason === null ? null : (
          <Notice tone="bad">{DISABLED_BECAUSE[endpoint.disabled_reason]}</Notice>
        )}
      </header>
      {health ? <HealthPanel health={health} /> : null}
      <Panel>
        <EndpointFacts endpoint={endpoint} />
      </Panel>
      <DeliveryList endpointId={id} url={endpoint.url} />
    </div>
  );
}

function EndpointFacts({ endpoint }: { readonly endpoint: EndpointResource }) {
  const { description, event_types: types, last_accepted_at: accepted } = endpoint;
  const { previous_secret_expires_at: former } = endpoint;
  const mayRead = useMay("read_api_logs");
  return (
    <Facts
      facts={[
        description === "" ? null : ["Description", description],
        ["Events", types === null ? "All" : types.join(", ")],
        accepted === null ? null : ["Last accepted", <LocalTime key="accepted" iso={accepted} />],
        former === null ? null : ["Former secret signs until", <LocalTime key="former" iso={former} />],
        ["Created", <LocalTime key="created" iso={endpoint.created_at} />],
        ["Changed", <LocalTime key="changed" iso={endpoint.updated_at} />],
        mayRead ? ["Requests", <RequestsLink key="requests" objectId={endpoint.id} />] : null,
      ]}
    />
  );
}
