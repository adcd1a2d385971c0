"use client";
import { useQuery } from "@tanstack/react-query";
import { localSum } from "@/server/domain/local-sum";
import { useTexts } from "../i18n/use-texts";
import { Facts } from "../intents/facts";
import { BackTo } from "../shell/back-to";
import { ObjectLink } from "../shell/object-link";
import { RequestsLink } from "../shell/requests-link";
import { useMay, useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { CodeBlock } from "../ui/code-block";
import { CopyButton } from "../ui/copy-button";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { prettyJson } from "../ui/pretty-json";
import { StatusMark } from "./status-mark";

export function LogDetail({ id }: { readonly id: string }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.apiLogs.get.queryOptions({ environment, id }));
  const objectId = data?.object_id ?? null;
  const mayEvents = useMay("manage_webhooks");
  const { data: events } = useQuery({
    ...trpc.events.list.queryOptions({ environment, intent_id: objectId ?? "" }),
    enabled: objectId !== null && mayEvents,
  });
  const event = events?.data[0];
  if (error)
    return (
      <Notice tone="bad" role="alert">
        {failureOf(texts, error).message}
      </Notice>
    );
  if (!data) return null;
  const { method, path, status, ms, key, address, request_body: asked, response_body: answered } = data;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="grid gap-3">
        <BackTo path="developers/logs" label={texts("logs.apiLogs")} />
        <h1 className="flex flex-wrap items-center gap-3 text-xl">
          <span className="font-mono text-lg wrap-anywhere">
            {method} {path}
          </span>
          <StatusMark status={status} />
        </h1>
      </div>
      <Panel>
        <Facts
          facts={[
            [
              "Request-Id",
              <span key="id" className="inline-flex flex-wrap items-center gap-x-1 font-mono text-xs">
                {id}
                <CopyButton text={id} what={texts("logs.requestId")} />
              </span>,
            ],
            [texts("logs.when"), <LocalTime key="at" iso={data.created_at} />],
            [texts("logs.duration"), texts("logs.milliseconds", { duration: localSum(texts.language, ms.toFixed(1)) })],
            [texts("logs.key"), key.name ?? key.id],
            objectId === null ? null : [texts("logs.about"), <ObjectLink key="object" id={objectId} />],
            event ? [texts("logs.event"), <EventLink key="event" event={event} />] : null,
            objectId === null ? null : [texts("logs.otherRequests"), <RequestsLink key="others" objectId={objectId} />],
            data.route === "" ? null : [texts("logs.operation"), `${method} ${data.route}`],
            address === ""
              ? null
              : [
                  texts("logs.address"),
                  <span key="address" className="font-mono text-xs">
                    {address}
                  </span>,
                ],
          ]}
        />
      </Panel>
      <div className="grid min-w-0 gap-4 xl:grid-cols-2">
        {asked === null ? (
          <Notice tone="plain">{texts("logs.noRequestBody")}</Notice>
        ) : (
          <CodeBlock title={texts("logs.requestBody")} code={prettyJson(asked)} />
        )}
        {answered === null ? (
          <Notice tone="plain">{texts("logs.responseTooLong")}</Notice>
        ) : (
          <CodeBlock title={texts("logs.response")} code={prettyJson(answered)} />
        )}
      </div>
    </div>
  );
}

/** The event of the object: what the request led to in the end. */
function EventLink({ event }: { readonly event: { readonly id: string; readonly type: string } }) {
  return (
    <ObjectLink id={event.id}>
      <span className="font-mono text-xs">{event.type}</span>
    </ObjectLink>
  );
}
