"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import Link from "next/link";
import { type ComponentProps, lazy, Suspense, useState } from "react";
import type { EndpointResource } from "@/server/contract/webhooks";
import type { PresentedHealth } from "@/server/trpc/present/endpoint-health";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { Age } from "../time/age";
import { LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Cell, DataTable, Row } from "../ui/data-table";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { NextAttempt } from "./health-panel";
import { answerText, baseText, durationText, rateText, waitingText } from "./health-text";
import { EndpointBadge } from "./state-badges";
import { useHealth } from "./use-health";
import { WebhookTabs } from "./webhook-tabs";

const CreateEndpointDialog = lazy(() => import("./create-endpoint-dialog"));

const columnsIn = (texts: Texts): ComponentProps<typeof DataTable>["columns"] => [
  { label: texts("webhooks.url") },
  { label: texts("webhooks.state") },
  { label: texts("webhooks.accepted") },
  { label: texts("webhooks.responseTime"), from: "lg" },
  { label: texts("webhooks.waiting") },
  { label: texts("webhooks.events"), from: "wide" },
  { label: texts("webhooks.created"), from: "wide" },
];

export function EndpointList() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const [isCreating, setCreating] = useState(false);
  const { data, error } = useQuery(trpc.webhookEndpoints.list.queryOptions({ environment }));
  const healths = useHealth();
  const isFull = data !== undefined && data.endpoints.length >= data.maximum;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader title={texts("webhooks.webhookEndpoints")} about={texts("webhooks.endpointsAbout", { environment })}>
        <Button
          size="medium"
          tone="primary"
          disabled={isFull}
          title={isFull ? texts("webhooks.deleteFirst") : undefined}
          onClick={() => setCreating(true)}
        >
          <Plus className="size-4" aria-hidden="true" />
          {texts("webhooks.addEndpoint")}
        </Button>
      </PageHeader>
      <WebhookTabs />
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      {data && data.endpoints.length === 0 ? (
        <p className="rounded-lg border border-dashed border-line-strong px-6 py-16 text-center text-sm text-ink-soft">
          {texts("webhooks.noEndpoints")}
        </p>
      ) : null}
      {data && data.endpoints.length > 0 ? (
        <DataTable caption={texts("webhooks.webhookEndpointsNewestFirst")} columns={columnsIn(texts)}>
          {data.endpoints.map((endpoint) => (
            <EndpointRow
              key={endpoint.id}
              endpoint={endpoint}
              health={healths.get(endpoint.id)}
              base={`/${environment}/webhooks/endpoints`}
            />
          ))}
        </DataTable>
      ) : null}
      <Suspense>{isCreating ? <CreateEndpointDialog onClose={() => setCreating(false)} /> : null}</Suspense>
    </div>
  );
}

interface EndpointRowProps {
  readonly endpoint: EndpointResource;
  readonly health: PresentedHealth | undefined;
  readonly base: string;
}

function EndpointRow({ endpoint, health, base }: EndpointRowProps) {
  const texts = useTexts();
  const { id, url, description, event_types: types } = endpoint;
  return (
    <Row>
      <Cell isWide className="md:min-w-44 lg:min-w-64">
        <Link
          href={`${base}/${id}`}
          prefetch={false}
          className="rounded-sm font-mono text-xs font-semibold wrap-anywhere underline-offset-3 hover:underline"
        >
          {url}
        </Link>
        {description === "" ? null : <span className="caption block wrap-anywhere">{description}</span>}
      </Cell>
      <Cell isWide className="md:max-w-80">
        <EndpointBadge endpoint={endpoint} health={health} />
        <FailingLine endpoint={endpoint} health={health} />
      </Cell>
      <Cell isWide className="figures">
        {health ? (
          <>
            {rateText(texts, health)} <span className="caption md:block">{baseText(texts, health)}</span>
          </>
        ) : null}
      </Cell>
      <Cell isDetail from="lg" className="figures whitespace-nowrap">
        {health && health.median_ms !== null ? durationText(texts, health.median_ms) : "–"}
      </Cell>
      <Cell isDetail className="figures">
        {health ? (
          <>
            {waitingText(texts, health.waiting)}{" "}
            <span className="caption md:block">
              <NextAttempt health={health} />
            </span>
          </>
        ) : null}
      </Cell>
      <Cell isDetail from="wide">
        {types === null
          ? texts("webhooks.all")
          : types.length === 1
            ? types[0]
            : texts("webhooks.countedTypes", { count: types.length })}
      </Cell>
      <Cell isDetail from="wide" className="whitespace-nowrap">
        <Age iso={endpoint.created_at} />
      </Cell>
    </Row>
  );
}

/** Since when it fails, when it last succeeded, and the last answer; nothing for a healthy endpoint. */
function FailingLine({ endpoint, health }: Pick<EndpointRowProps, "endpoint" | "health">) {
  const texts = useTexts();
  const { failing_since: since, last_accepted_at: accepted } = endpoint;
  if (since === null) return null;
  return (
    <span className="block text-xs text-bad">
      {texts.rich("webhooks.failingSince", { localTime: () => <LocalTime iso={since} /> })}
      {accepted === null ? (
        texts("webhooks.neverSucceeded")
      ) : (
        <>{texts.rich("webhooks.lastSuccess", { age: () => <Age iso={accepted} /> })}</>
      )}
      {health && health.last_attempt_at !== null
        ? `; ${answerText(texts, health.last_status, health.last_error)}`
        : null}
    </span>
  );
}
