// Events that have occurred, whether or not any endpoint received them.
"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { EVENT_TYPES } from "@/server/domain/events";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
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
import { EVENT_FIELDS, eventInput } from "./event-address";
import { WebhookTabs } from "./webhook-tabs";

const columnsIn = (texts: Texts) => [
  { label: texts("webhooks.event") },
  { label: texts("webhooks.about") },
  { label: texts("webhooks.when"), isNumeric: true },
];

export function EventList() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const typeId = useId();
  const address = useListAddress(EVENT_FIELDS);
  const { intent_id: intentId } = address.filters;
  const type = EVENT_TYPES.find((known) => known === address.filters.type);
  const list = useQuery({
    ...trpc.events.list.queryOptions({ environment, ...eventInput(address.filters), ...address.place }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader title={texts("webhooks.events")} about={texts("webhooks.eventsAbout")}>
        <Button size="medium" onClick={() => void list.refetch()}>
          {texts("webhooks.refresh")}
        </Button>
      </PageHeader>
      <WebhookTabs />
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          className="min-w-40 grow basis-0 sm:max-w-96"
          label={texts("webhooks.objectSearchHint")}
          placeholder={texts("webhooks.objectId")}
          value={intentId ?? ""}
          onSearch={(text) => address.setFilter("intent_id", text.trim())}
        />
        <label htmlFor={typeId} className="sr-only">
          {texts("webhooks.type")}
        </label>
        <select
          id={typeId}
          value={type ?? ""}
          onChange={(event) => address.setFilter("type", event.target.value)}
          className="min-h-10 rounded-md border border-line-strong bg-surface px-2.5 text-sm hover:border-ink"
        >
          <option value="">{texts("webhooks.allTypes")}</option>
          {EVENT_TYPES.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </div>
      <ListFrame address={address} noun="events" {...pageState(list)} emptyText={texts("webhooks.noEvents")}>
        <DataTable caption={texts("webhooks.eventsNewestFirst")} columns={columnsIn(texts)}>
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
