"use client";
import { useDays } from "../lists/day-bounds";
import type { ListAddress } from "../lists/use-list-address";
import { CompactField } from "../ui/compact-field";
import { CompactSelect } from "../ui/compact-select";
import { SearchField } from "../ui/search-field";

export const AUDIT_FIELDS = [
  { name: "object_id", label: "Object" },
  { name: "group", label: "Actions" },
  { name: "actor_type", label: "Actor" },
  { name: "actor_id", label: "Actor's id" },
  { name: "created_after", label: "From" },
  { name: "created_before", label: "Until" },
];

const GROUPS = [
  { value: "", label: "All" },
  { value: "refusals", label: "Refusals and pauses" },
  { value: "members", label: "Members and sessions" },
  { value: "keys", label: "API keys" },
  { value: "payouts", label: "Payouts" },
  { value: "payments", label: "Payments and top-ups" },
  { value: "policies", label: "Approval policies" },
  { value: "money", label: "Wallets and exceptions" },
  { value: "webhooks", label: "Webhooks" },
  { value: "merchant", label: "Merchant settings" },
  { value: "exports", label: "Exports" },
];

const ACTORS = [
  { value: "", label: "Any" },
  { value: "member", label: "Members" },
  { value: "api_key", label: "API keys" },
  { value: "operator", label: "Operator" },
  { value: "worker", label: "Sluice" },
  { value: "provider", label: "Providers" },
  { value: "payer", label: "Payers" },
];

export function AuditFilters({ address }: { readonly address: ListAddress }) {
  const { filters } = address;
  const { startOfDay, endOfDay, dayOfStart, dayOfEnd } = useDays();
  return (
    <div className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[repeat(2,minmax(12rem,1.6fr))_repeat(4,minmax(0,1fr))]">
      <SearchField
        className="max-lg:col-span-2"
        label="Show the entries of one object, by its id"
        placeholder="Object's id"
        value={filters.object_id ?? ""}
        onSearch={(text) => address.setFilter("object_id", text.trim())}
      />
      <SearchField
        className="max-lg:col-span-2"
        label="Show the acts of one actor, by their id"
        placeholder="Actor's id"
        value={filters.actor_id ?? ""}
        onSearch={(text) => address.setFilter("actor_id", text.trim())}
      />
      <CompactSelect
        label="Actions"
        options={GROUPS}
        value={filters.group ?? ""}
        onChange={(value) => address.setFilter("group", value)}
      />
      <CompactSelect
        label="Actor"
        options={ACTORS}
        value={filters.actor_type ?? ""}
        onChange={(value) => address.setFilter("actor_type", value)}
      />
      <CompactField
        label="From"
        type="date"
        value={dayOfStart(filters.created_after)}
        onChange={(event) => address.setFilter("created_after", startOfDay(event.target.value))}
      />
      <CompactField
        label="Until"
        type="date"
        value={dayOfEnd(filters.created_before)}
        onChange={(event) => address.setFilter("created_before", endOfDay(event.target.value))}
      />
    </div>
  );
}
