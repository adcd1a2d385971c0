"use client";
import { useQuery } from "@tanstack/react-query";
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
        {failureOf(error).message}
      </Notice>
    );
  if (!data) return null;
  const { method, path, status, ms, key, address, request_body: asked, response_body: answered } = data;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="grid gap-3">
        <BackTo path="developers/logs" label="API logs" />
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
                <CopyButton text={id} what="Request-Id" />
              </span>,
            ],
            ["When", <LocalTime key="at" iso={data.created_at} />],
            ["Duration", `${ms.toFixed(1)} ms`],
            ["Key", key.name ?? key.id],
            objectId === null ? null : ["About", <ObjectLink key="object" id={objectId} />],
            event ? ["Event", <EventLink key="event" event={event} />] : null,
            objectId === null ? null : ["Other requests", <RequestsLink key="others" objectId={objectId} />],
            data.route === "" ? null : ["Operation", `${method} ${data.route}`],
            address === ""
              ? null
              : [
                  "Address",
                  <span key="address" className="font-mono text-xs">
                    {address}
                  </span>,
                ],
          ]}
        />
      </Panel>
      <div className="grid min-w-0 gap-4 xl:grid-cols-2">
        {asked === null ? (
          <Notice tone="plain">The request had no body.</Notice>
        ) : (
          <CodeBlock title="Request body" code={prettyJson(asked)} />
        )}
        {answered === null ? (
          <Notice tone="plain">The response is not stored: it was longer than 16 KiB.</Notice>
        ) : (
          <CodeBlock title="Response" code={prettyJson(answered)} />
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
