"use client";
import { useQuery } from "@tanstack/react-query";
import { Facts } from "../intents/facts";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { CodeBlock } from "../ui/code-block";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { prettyJson } from "../ui/pretty-json";
import { TextLink } from "../ui/text-link";
import { StatusMark } from "./status-mark";

export function LogDetail({ id }: { readonly id: string }) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.apiLogs.get.queryOptions({ environment, id }));
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
      <div className="grid gap-2">
        <p className="text-sm">
          <TextLink href={`/${environment}/developers/logs`}>API logs</TextLink>
        </p>
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
              <span key="id" className="font-mono text-xs">
                {id}
              </span>,
            ],
            ["When", <LocalTime key="at" iso={data.created_at} />],
            ["Duration", `${ms.toFixed(1)} ms`],
            ["Key", key.name ?? key.id],
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
