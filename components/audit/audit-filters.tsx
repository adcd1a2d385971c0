"use client";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useDays } from "../lists/day-bounds";
import type { ListAddress } from "../lists/use-list-address";
import { CompactField } from "../ui/compact-field";
import { CompactSelect } from "../ui/compact-select";
import { SearchField } from "../ui/search-field";

const groupsIn = (texts: Texts) => [
  { value: "", label: texts("audit.all") },
  { value: "refusals", label: texts("audit.refusalsAndPauses") },
  { value: "members", label: texts("audit.membersAndSessions") },
  { value: "keys", label: texts("audit.apiKeys") },
  { value: "payouts", label: texts("audit.payouts") },
  { value: "payments", label: texts("audit.paymentsAndTopups") },
  { value: "policies", label: texts("audit.approvalPolicies") },
  { value: "money", label: texts("audit.walletsAndExceptions") },
  { value: "webhooks", label: texts("audit.webhooks") },
  { value: "merchant", label: texts("audit.merchantSettings") },
  { value: "exports", label: texts("audit.exports") },
];

const actorsIn = (texts: Texts) => [
  { value: "", label: texts("audit.any") },
  { value: "member", label: texts("audit.members") },
  { value: "api_key", label: texts("audit.apiKeys") },
  { value: "operator", label: texts("audit.operator") },
  { value: "worker", label: "Sluice" },
  { value: "provider", label: texts("audit.providers") },
  { value: "payer", label: texts("audit.payers") },
];

export function AuditFilters({ address }: { readonly address: ListAddress }) {
  const texts = useTexts();
  const { filters } = address;
  const { startOfDay, endOfDay, dayOfStart, dayOfEnd } = useDays();
  return (
    <div className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[repeat(2,minmax(12rem,1.6fr))_repeat(4,minmax(0,1fr))]">
      <SearchField
        className="max-lg:col-span-2"
        label={texts("audit.objectSearchHint")}
        placeholder={texts("audit.objectsId")}
        value={filters.object_id ?? ""}
        onSearch={(text) => address.setFilter("object_id", text.trim())}
      />
      <SearchField
        className="max-lg:col-span-2"
        label={texts("audit.actorSearchHint")}
        placeholder={texts("audit.actorsId")}
        value={filters.actor_id ?? ""}
        onSearch={(text) => address.setFilter("actor_id", text.trim())}
      />
      <CompactSelect
        label={texts("audit.actions")}
        options={groupsIn(texts)}
        value={filters.group ?? ""}
        onChange={(value) => address.setFilter("group", value)}
      />
      <CompactSelect
        label={texts("audit.actor")}
        options={actorsIn(texts)}
        value={filters.actor_type ?? ""}
        onChange={(value) => address.setFilter("actor_type", value)}
      />
      <CompactField
        label={texts("audit.from")}
        type="date"
        value={dayOfStart(filters.created_after)}
        onChange={(event) => address.setFilter("created_after", startOfDay(event.target.value))}
      />
      <CompactField
        label={texts("audit.until")}
        type="date"
        value={dayOfEnd(filters.created_before)}
        onChange={(event) => address.setFilter("created_before", endOfDay(event.target.value))}
      />
    </div>
  );
}
