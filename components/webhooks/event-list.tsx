// Events that have occurred, whether or not any endpoint received them.
"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { EVENT_TYPES } from "@/server/domain/events";
import { ListFrame } from "../lists/list-frame";
import { pageState } from "../lists/page-state";
import { useListAddress } from "../lists/use-list-address";
import { ObjectLink } from "../shell/object-link";
import { useShell } from "../shell/shell-context";
import { Age } from "../time/age";
import { useTRPC } from "../trpc/client";
import { Button } from "../ui/button";
import { Cell, DataTable, Row } from "../ui/data-table";
import { PageHeader } from "../ui/page-header";
import { SearchField } from "../ui/search-field";
import { WebhookTabs } from "./webhook-tabs";

const FIELDS = [
  { name: "type", label: "Type" },
  { name: "intent_id", label: "Object" },
];
const COLUMNS = [{ label: "Event" }, { label: "About" }, { label: "When", isNumeric: true }];

export function EventList() {
  const { environment } = useShell();
  const trpc = useTRPC();
  const typeId = useId();
  const address = useListAddress(FIELDS);
  const { intent_id: intentId } = address.filters;
  const type = EVENT_TYPES.find((known) => known === address.filters.type);
  const list = useQuery({
    ...trpc.events.list.queryOptions({
      environment,
      ...(type && { type }),
      ...(intentId !== undefined && { intent_id: intentId }),
      ...address.place,
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader title="Events" about="What has happened, newest first, whether or not an endpoint received it.">
        <Button size="medium" onClick={() => void list.refetch()}>
          Refresh
        </Button>
      </PageHeader>
      <WebhookTabs />
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          className="min-w-40 grow basis-0 sm:max-w-96"
          label="Show the event of one payment or payout, by its id"
          placeholder="Id of a payment or payout"
          value={intentId ?? ""}
          onSearch={(text) => address.setFilter("intent_id", text.trim())}
        />
        <label htmlFor={typeId} className="sr-only">
          Type
        </label>
        <select
          id={typeId}
          value={type ?? ""}
          onChange={(event) => address.setFilter("type", event.target.value)}
          className="min-h-10 rounded-md border border-line-strong bg-surface px-2.5 text-sm hover:border-ink"
        >
          <option value="">All types</option>
          {EVENT_TYPES.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </div>
      <ListFrame
        address={address}
        noun="events"
        {...pageState(list)}
        emptyText="A payment or payout that ends has one event. It appears here, and is sent to your endpoints."
      >
        <DataTable caption="Events, newest first" columns={COLUMNS}>
          {list.data?.data.map(({ id, type: name, intent_id: about, created_at: at }) => (
            <Row key={id}>
              <Cell isWide>
                <ObjectLink id={id}>
                  <span className="font-mono text-xs font-semibold">{name}</span>
                </ObjectLink>
                <span className="block font-mono text-xs text-ink-soft wrap-anywhere">{id}</span>
              </Cell>
              <Cell>
                <ObjectLink id={about} />
              </Cell>
              <Cell isNumeric>
                <Age iso={at} />
              </Cell>
            </Row>
          ))}
        </DataTable>
      </ListFrame>
    </div>
  );
}
