// The catalogue of events of GET /webhook_events: the message, schema and verification of each, and a test send.
"use client";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { EVENT_TYPES, type EventType } from "@/server/domain/events";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useListAddress } from "../lists/use-list-address";
import { useMay, useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { ChoiceButton } from "../ui/choice-button";
import { classNames } from "../ui/class-names";
import { CodeBlock } from "../ui/code-block";
import { PageHeader } from "../ui/page-header";
import { Panel } from "../ui/panel";
import { type AnyStatus, StatusBadge } from "../ui/status-badge";
import { TextLink } from "../ui/text-link";
import { EXAMPLE_HEADERS, exampleBody } from "./example-message";
import { SendExample } from "./send-example";
import { WebhookTabs } from "./webhook-tabs";

const VerifySnippets = lazy(() => import("./verify-snippets"));

const FIELDS = [{ name: "event" }, { name: "view" }];
const viewsIn = (texts: Texts) =>
  [
    { value: "message", label: texts("webhooks.message") },
    { value: "schema", label: texts("webhooks.schema") },
    { value: "verify", label: texts("webhooks.verify") },
  ] as const;

export function EventCatalogue() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(FIELDS);
  const { data } = useQuery(trpc.webhookEvents.list.queryOptions({ environment }));
  const chosen = EVENT_TYPES.find((type) => type === address.filters.event) ?? EVENT_TYPES[0];
  const entry = data?.events.find(({ event }) => event === chosen);
  const view = viewsIn(texts).find(({ value }) => value === address.filters.view)?.value ?? "message";
  const mayTest = useMay("manage_webhooks");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader title={texts("webhooks.webhookEvents")} about={texts("webhooks.catalogueAbout")}>
        <p className="text-sm">
          <TextLink href="/v1/webhook_events">{texts("webhooks.catalogueRequest")}</TextLink>
        </p>
      </PageHeader>
      <WebhookTabs />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[16rem_minmax(0,1fr)]">
        <fieldset className="flex flex-wrap content-start gap-1 lg:grid">
          <legend className="sr-only">{texts("webhooks.event")}</legend>
          {EVENT_TYPES.map((type) => (
            <TypeButton
              key={type}
              type={type}
              isChosen={type === chosen}
              onChoose={() => address.setFilter("event", type)}
            />
          ))}
        </fieldset>
        {entry ? (
          <Panel className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
            <div className="grid justify-items-start gap-2">
              <h2 className="font-mono text-base font-medium tracking-normal wrap-anywhere">{entry.event}</h2>
              <StatusBadge status={entry.payload.status as AnyStatus} />
              <p className="text-sm text-ink-soft">{entry.description}</p>
            </div>
            {mayTest ? <SendExample key={entry.event} type={entry.event} /> : null}
            <fieldset className="flex flex-wrap gap-1">
              <legend className="sr-only">{texts("webhooks.view")}</legend>
              {viewsIn(texts).map(({ value, label }) => (
                <ChoiceButton
                  key={value}
                  isChosen={value === view}
                  onChoose={() => address.setFilter("view", value === "message" ? "" : value)}
                >
                  {label}
                </ChoiceButton>
              ))}
            </fieldset>
            {view === "message" ? <Message event={entry.event} payload={entry.payload} /> : null}
            {view === "schema" ? <Schema event={entry.event} /> : null}
            {view === "verify" ? (
              <Suspense>
                <VerifySnippets />
              </Suspense>
            ) : null}
          </Panel>
        ) : null}
      </div>
    </div>
  );
}

interface TypeButtonProps {
  readonly type: EventType;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function TypeButton({ type, isChosen, onChoose }: TypeButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={classNames(
        "min-h-9 rounded-md px-3 text-left font-mono text-xs transition-colors duration-150",
        isChosen ? "bg-accent-soft font-semibold" : "text-ink-soft hover:bg-sunken hover:text-ink",
      )}
    >
      {type}
    </button>
  );
}

interface MessageProps {
  readonly event: EventType;
  readonly payload: object;
}

/** A whole message as an endpoint receives it; the event's own part is marked. */
function Message({ event, payload }: MessageProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const headers = Object.entries(EXAMPLE_HEADERS).map(([name, value]) => `${name}: ${value}`);
  const data = JSON.stringify({ data: payload }, null, 2).split("\n").slice(1, -1).join("\n");
  return (
    <div className="grid min-w-0 content-start gap-3">
      <CodeBlock title={texts("webhooks.headersOfEvent", { event })} code={headers.join("\n")} />
      <CodeBlock
        title={texts("webhooks.bodyOfEvent", { event })}
        code={JSON.stringify(exampleBody(event, environment, payload), null, 2)}
        marked={data}
      />
    </div>
  );
}

function Schema({ event }: { readonly event: EventType }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.webhookEvents.schema.queryOptions({ environment, type: event }));
  return data === undefined ? null : <CodeBlock title={texts("webhooks.jsonSchemaOfEvent", { event })} code={data} />;
}
