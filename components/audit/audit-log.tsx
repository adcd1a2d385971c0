"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
import { ExportLink } from "../lists/export-link";
import { ListFrame } from "../lists/list-frame";
import { pageState } from "../lists/page-state";
import { useListAddress } from "../lists/use-list-address";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { PageHeader } from "../ui/page-header";
import { AuditFilters } from "./audit-filters";
import { AuditItem } from "./audit-item";
import { ChainState } from "./chain-state";
import { AUDIT_FIELDS, auditInput } from "./list-fields";

export function AuditLog() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(AUDIT_FIELDS);
  const input = { ...auditInput(address.filters), environment, ...address.place };
  const list = useQuery({ ...trpc.audit.list.queryOptions(input), placeholderData: keepPreviousData });
  const rows = list.data?.data;

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader title={texts("audit.auditLog")} about={texts("audit.auditLogAbout")}>
        <ExportLink kind="audit" filters={address.filters} />
      </PageHeader>
      <ChainState />
      <AuditFilters address={address} />
      <ListFrame address={address} noun="entries" {...pageState(list)} emptyText={texts("audit.emptyLog")}>
        <div className="overflow-hidden rounded-lg border border-line">
          {rows?.map((entry) => (
            <AuditItem key={entry.id} entry={entry} />
          ))}
        </div>
      </ListFrame>
    </div>
  );
}
