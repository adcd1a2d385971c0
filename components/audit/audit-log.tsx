"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ListFrame } from "../lists/list-frame";
import { pageState } from "../lists/page-state";
import { useListAddress } from "../lists/use-list-address";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { PageHeader } from "../ui/page-header";
import { SearchField } from "../ui/search-field";
import { AuditItem } from "./audit-item";

const FIELDS = [{ name: "object_id", label: "Object" }];

export function AuditLog() {
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(FIELDS);
  const { object_id: objectId = "" } = address.filters;
  const list = useQuery({
    ...trpc.audit.list.queryOptions({
      environment,
      ...(objectId === "" ? {} : { object_id: objectId }),
      ...address.place,
    }),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.data;

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader
        title="Audit log"
        about="Everything that was done, by whom, and when. Nobody can change or delete it."
      />
      <SearchField
        className="sm:max-w-96"
        label="Show the entries of one object, by its id"
        placeholder="Id of a payout, payment, member …"
        value={objectId}
        onSearch={(text) => address.setFilter("object_id", text.trim())}
      />
      <ListFrame
        address={address}
        noun="entries"
        {...pageState(list)}
        emptyText="What is done in this environment appears here."
      >
        <div className="overflow-hidden rounded-lg border border-line">
          {rows?.map((entry) => (
            <AuditItem key={entry.id} entry={entry} />
          ))}
        </div>
      </ListFrame>
    </div>
  );
}
