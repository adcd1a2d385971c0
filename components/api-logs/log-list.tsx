// The log of API requests that used the merchant's keys, with the answers.
"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import type { ComponentProps } from "react";
import { localSum } from "@/server/domain/local-sum";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { ListFrame } from "../lists/list-frame";
import { pageState } from "../lists/page-state";
import { useListAddress } from "../lists/use-list-address";
import { ObjectLink } from "../shell/object-link";
import { useMay, useShell } from "../shell/shell-context";
import { Age } from "../time/age";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { Button } from "../ui/button";
import { Cell, DataTable, Row } from "../ui/data-table";
import { PageHeader } from "../ui/page-header";
import { LOG_FIELDS, logInput } from "./log-address";
import { LogFilters } from "./log-filters";
import { StatusMark } from "./status-mark";

type CountInput = inferRouterInputs<AppRouter>["apiLogs"]["count"];
type Entry = inferRouterOutputs<AppRouter>["apiLogs"]["list"]["data"][number];

const columnsIn = (texts: Texts): ComponentProps<typeof DataTable>["columns"] => [
  { label: texts("logs.status") },
  { label: texts("logs.request") },
  { label: texts("logs.about"), from: "lg" },
  { label: texts("logs.key") },
  { label: texts("logs.duration"), isNumeric: true },
  { label: texts("logs.when"), isNumeric: true },
];

export function LogList() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(LOG_FIELDS);
  const { filters } = address;
  const input = logInput(environment, filters, address.cursor);
  const list = useQuery({ ...trpc.apiLogs.list.queryOptions(input), placeholderData: keepPreviousData });
  const { status_class: _, ...withoutClass } = filters;
  const counted = useQuery({
    ...trpc.apiLogs.count.queryOptions({ ...withoutClass, environment } as CountInput, BACKGROUND),
    placeholderData: keepPreviousData,
  });
  const mayKeys = useMay("manage_keys");
  const keys = useQuery({ ...trpc.apiKeys.list.queryOptions({ environment }), enabled: mayKeys });
  const rows = list.data?.data;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader title={texts("logs.apiLogs")} about={texts("logs.logsAbout")}>
        <Button size="medium" onClick={() => void Promise.all([list.refetch(), counted.refetch()])}>
          {texts("logs.refresh")}
        </Button>
      </PageHeader>
      <LogFilters address={address} keys={keys.data ?? []} counted={counted.data} />
      <ListFrame address={address} noun="requests" {...pageState(list)} emptyText={texts("logs.noRequests")}>
        <DataTable caption={texts("logs.requestsNewestFirst")} columns={columnsIn(texts)}>
          {rows?.map((entry) => (
            <LogRow key={entry.id} entry={entry} base={`/${environment}/developers/logs`} />
          ))}
        </DataTable>
      </ListFrame>
    </div>
  );
}

function LogRow({ entry, base }: { readonly entry: Entry; readonly base: string }) {
  const texts = useTexts();
  const { id, method, path, status, ms, key, object_id: objectId } = entry;
  return (
    <Row>
      <Cell>
        <StatusMark status={status} />
      </Cell>
      <Cell isWide>
        <Link
          href={`${base}/${id}`}
          prefetch={false}
          className="rounded-sm font-mono text-xs font-semibold wrap-anywhere underline-offset-3 hover:underline"
        >
          {method} {path}
        </Link>
        <span className="block font-mono text-xs text-ink-soft wrap-anywhere">{id}</span>
      </Cell>
      <Cell isDetail from="lg">
        {objectId === null ? null : <ObjectLink id={objectId} />}
      </Cell>
      <Cell isDetail className="wrap-anywhere">
        {key.name ?? key.id}
      </Cell>
      <Cell isNumeric className="figures">
        {texts("logs.milliseconds", { duration: localSum(texts.language, ms.toFixed(1)) })}
      </Cell>
      <Cell isNumeric>
        <Age iso={entry.created_at} />
      </Cell>
    </Row>
  );
}
