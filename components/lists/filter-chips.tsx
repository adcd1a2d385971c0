// A chip for each filter that is set, which removes it. Loaded once a filter is set.
"use client";
import { X } from "lucide-react";
import { orderOf } from "@/server/domain/list-order";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { sumText } from "../money/sum-text";
import { zonedText } from "../time/instant-text";
import { useTimeZone } from "../time/time-zone";
import { useHydrated } from "../time/use-hydrated";
import { Button } from "../ui/button";
import { type AnyStatus, STATUS_LOOKS } from "../ui/status-badge";
import { useDays } from "./day-bounds";
import { filterWords } from "./filter-words";
import type { FilterField, Filters } from "./filters";
import type { ListAddress } from "./use-list-address";

interface FilterChipsProps {
  readonly address: ListAddress;
  readonly fields: readonly FilterField[];
}

/** The value of a filter in words; a bound at a whole day reads as that day. */
function useChipText({ currency = "" }: Filters): (name: string, value: string) => string {
  const texts = useTexts();
  const isHydrated = useHydrated();
  const zone = useTimeZone();
  const { startOfDay, endOfDay, dayOfStart, dayOfEnd } = useDays();
  return (name, value) => {
    if (name.startsWith("amount_")) return /^\d+$/.test(value) ? sumText(texts, value, currency) : value;
    if (!name.startsWith("created_")) return filterWords(texts, name, value);
    if (!isHydrated || Number.isNaN(Date.parse(value))) return value;
    const day = name === "created_after" ? dayOfStart(value) : dayOfEnd(value);
    const bound = name === "created_after" ? startOfDay(day) : endOfDay(day);
    return bound === new Date(value).toISOString() ? day : zonedText(texts, value, zone);
  };
}

export default function FilterChips({ address, fields }: FilterChipsProps) {
  const texts = useTexts();
  const { filters } = address;
  const chipText = useChipText(filters);
  const set = fields.filter(({ name }) => filters[name]);
  const statuses = filters.status?.split(",") ?? [];
  // The tabs show one status, and only a list that has tabs. Several, as a link can name them, are a filter of their own.
  const hasStatusChip = statuses.length > 1;
  const isUsualOrder = orderOf(address.order.sort) === "newest_first";
  if (set.length === 0 && !hasStatusChip && isUsualOrder) return null;
  const retained: Filters = filters.status && !hasStatusChip ? { status: filters.status } : {};
  return (
    <ul aria-label={texts("lists.filtersThatAreSet")} className="flex flex-wrap items-center gap-2">
      {hasStatusChip ? (
        <Chip
          label={texts("lists.status")}
          text={statuses.map((status) => statusLabel(texts, status)).join(", ")}
          act={texts("lists.removeThisFilter")}
          onRemove={() => address.setFilter("status", "")}
        />
      ) : null}
      {set.map(({ name, labelKey }) => (
        <Chip
          key={name}
          label={texts(labelKey)}
          text={chipText(name, filters[name] ?? "")}
          act={texts("lists.removeThisFilter")}
          onRemove={() => address.setFilter(name, "")}
        />
      ))}
      {isUsualOrder ? null : (
        <Chip
          label={texts("lists.order")}
          text={texts("lists.oldestFirst")}
          act={texts("lists.newestFirst")}
          onRemove={() => address.setSort("-created_at")}
        />
      )}
      <li>
        <Button size="small" tone="quiet" onClick={() => address.clear(retained)}>
          {texts("lists.clearAll")}
        </Button>
      </li>
    </ul>
  );
}

/** An unknown status, which the procedure rejects, is shown as it is. */
function statusLabel(texts: Texts, status: string): string {
  return Object.hasOwn(STATUS_LOOKS, status) ? texts(STATUS_LOOKS[status as AnyStatus].labelKey) : status;
}

interface ChipProps {
  readonly label: string;
  readonly text: string;
  /** The effect of removing it, for screen readers. */
  readonly act: string;
  readonly onRemove: () => void;
}

function Chip({ label, text, act, onRemove }: ChipProps) {
  return (
    <li>
      <button
        type="button"
        onClick={onRemove}
        className="flex min-h-8 max-w-72 items-center gap-1.5 rounded-md border border-line-strong bg-surface px-2.5 text-xs hover:border-ink"
      >
        <span className="text-ink-soft">{label}</span>
        <span className="truncate font-medium">{text}</span>
        <X className="size-3.5 shrink-0" aria-hidden="true" />
        <span className="sr-only">: {act}</span>
      </button>
    </li>
  );
}
