"use client";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { EndpointResource } from "@/server/contract/webhooks";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
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
import { HistoryFrame } from "./history-frame";
import { EndpointBadge } from "./state-badges";
import { useHealth } from "./use-health";

const HistoryPanel = lazy(() => import("./history-panel"));

const ASK_EVERY_MS = 5_000;

const disabledBecauseIn = (texts: Texts) =>
  ({
    gone: texts("webhooks.disabledGone"),
    failing: texts("webhooks.disabledFailing"),
  }) as const;

export function EndpointDetail({ id }: { readonly id: string }) {
  const texts = useTexts();
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
        <BackTo path="webhooks/endpoints" label={texts("webhooks.webhookEndpoints")} />
        <div className="grid gap-2">
          <h1 className="flex flex-wrap items-center gap-x-4 gap-y-2 text-xl">
            <span className="wrap-anywhere">{endpoint.url}</span>
            <EndpointBadge endpoint={endpoint} health={health} />
          </h1>
          <p className="flex flex-wrap items-center gap-x-1 font-mono text-xs text-ink-soft">
            <span className="wrap-anywhere">{id}</span>
            <CopyButton text={id} what={texts("webhooks.id")} />
          </p>
        </div>
        <EndpointActions endpoint={endpoint} />
        {endpoint.disabled_reason === null ? null : (
          <Notice tone="bad">{disabledBecauseIn(texts)[endpoint.disabled_reason]}</Notice>
        )}
      </header>
      {health ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <HealthPanel health={health} />
          <Suspense fallback={<HistoryFrame />}>
            <HistoryPanel id={id} />
          </Suspense>
        </div>
      ) : null}
      <Panel>
        <EndpointFacts endpoint={endpoint} />
      </Panel>
      <DeliveryList endpointId={id} url={endpoint.url} />
    </div>
  );
}

function EndpointFacts({ endpoint }: { readonly endpoint: EndpointResource }) {
  const texts = useTexts();
  const { description, event_types: types, last_accepted_at: accepted } = endpoint;
  const { previous_secret_expires_at: former } = endpoint;
  const mayRead = useMay("read_api_logs");
  return (
    <Facts
      facts={[
        description === "" ? null : [texts("webhooks.description"), description],
        [texts("webhooks.events"), types === null ? texts("webhooks.all") : types.join(", ")],
        accepted === null ? null : [texts("webhooks.lastAccepted"), <LocalTime key="accepted" iso={accepted} />],
        former === null ? null : [texts("webhooks.formerSecretSignsUntil"), <LocalTime key="former" iso={former} />],
        [texts("webhooks.created"), <LocalTime key="created" iso={endpoint.created_at} />],
        [texts("webhooks.changed"), <LocalTime key="changed" iso={endpoint.updated_at} />],
        mayRead ? [texts("webhooks.requests"), <RequestsLink key="requests" objectId={endpoint.id} />] : null,
      ]}
    />
  );
}
