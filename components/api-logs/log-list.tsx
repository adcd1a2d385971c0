// The log of API requests that used the merchant's keys, with the answers.
"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import type { ComponentProps } from "react";
import type { AppRouter } from "@/server/trpc/router";
import { ListFrame } from "../lists/list-frame";
import { pageState } from "../lists/page-state";
import { useListAddress } from "../lists/use-list-address";
import { ObjectLink } from "../shell/object-link";
import { useMay, useShell } from "../shell/shell-context";
import { Age } from "../time/age";
import { useTRPC } from "../trpc/client";
import { Button } from "../ui/button";
import { Cell, DataTable, Row } from "../ui/data-table";
import { PageHeader } from "../ui/page-header";
import { LOG_FIELDS, LogFilters } from "./log-filters";
import { StatusMark } from "./status-mark";

type Input = inferRouterInputs<AppRouter>["apiLogs"]["list"];
type Entry = inferRouterOutputs<AppRouter>["apiLogs"]["list"]["data"][number];

const COLUMNS: ComponentProps<typeof DataTable>["columns"] = [
  { label: "Status" },
  { label: "Request" },
  { label: "About", from: "lg" },
  { label: "Key" },
  { label: "Duration", isNumeric: true },
  { label: "When", isNumeric: true },
];

export function LogList() {
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(LOG_FIELDS);
  const { filters } = address;
  const input = { ...filters, environment, ...address.place } as Input;
  const list = useQuery({ ...trpc.apiLogs.list.queryOptions(input), placeholderData: keepPreviousData });
  const mayKeys = useMay("manage_keys");
  const keys = useQuery({ ...trpc.apiKeys.list.queryOptions({ environment }), enabled: mayKeys });
  const rows = list.data?.data;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader
        title="API logs"
        about="Requests with your keys, newest first. Secrets, account numbers and personal data are left out."
      >
        <Button size="medium" onClick={() => void list.refetch()}>
          Refresh
        </Button>
      </PageHeader>
      <LogFilters address={address} keys={keys.data ?? []} />
      <ListFrame
        address={address}
        noun="requests"
        {...pageState(list)}
        emptyText="Requests appear here moments after they were answered. Those with wrong credentials belong to nobody and are not kept."
      >
        <DataTable caption="Requests, newest first" columns={COLUMNS}>
          {rows?.map((entry) => (
            <LogRow key={entry.id} entry={entry} base={`/${environment}/developers/logs`} />
          ))}
        </DataTable>
      </ListFrame>
    </div>
  );
}

function LogRow({ entry, base }: { readonly entry: Entry; readonly base: string }) {
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
        {ms.toFixed(1)} ms
      </Cell>
      <Cell isNumeric>
        <Age iso={entry.created_at} />
      </Cell>
    </Row>
  );
}
