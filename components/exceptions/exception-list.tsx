"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useId, useState } from "react";
import { EXCEPTION_KINDS } from "@/server/domain/exceptions";
import type { PresentedException } from "@/server/trpc/exceptions";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { ListFrame } from "../lists/list-frame";
import { pageState } from "../lists/page-state";
import { type ListAddress, useListAddress } from "../lists/use-list-address";
import { usePollingInterval } from "../shell/live-changes";
import { useShell } from "../shell/shell-context";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { classNames } from "../ui/class-names";
import { PageHeader } from "../ui/page-header";
import { SearchField } from "../ui/search-field";
import { ExceptionItem } from "./exception-item";
import { kindWordsIn } from "./exception-words";
import { EXCEPTION_FIELDS, exceptionInput, SHOWN_STATES, shownState, subjectInput } from "./list-fields";
import { ExceptionSelectionBar } from "./selection-bar";
import { ownerText, useOwners } from "./use-owners";
import { useSelected } from "./use-selected";

const BulkDialog = lazy(() => import("./bulk-dialog"));

interface Asked {
  readonly act: "assign" | "resolve";
  readonly exceptions: readonly PresentedException[];
}

const stateLabelsIn = (texts: Texts) =>
  ({
    open: texts("exceptions.open"),
    resolved: texts("exceptions.resolvedOnes"),
    all: texts("exceptions.all"),
  }) as const;

export function ExceptionList() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(EXCEPTION_FIELDS);
  const list = useQuery({
    ...trpc.exceptions.list.queryOptions({
      environment,
      ...exceptionInput(address.filters),
      ...address.place,
    }),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.data ?? [];
  const open = rows.filter(({ resolved_at: resolvedAt }) => resolvedAt === null);
  const selected = useSelected(rows);
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader title={texts("exceptions.exceptions")} about={texts("exceptions.exceptionsAbout")} />
      <StateTabs address={address} />
      <SubjectFilters address={address} />
      <ListFrame address={address} noun="exceptions" {...pageState(list)} emptyText={texts("exceptions.noneOpen")}>
        <div className="overflow-hidden rounded-lg border border-line">
          <ExceptionSelectionBar
            open={open}
            selected={selected}
            onAsk={(act) => setAsked({ act, exceptions: selected.chosen })}
          />
          {rows.map((exception) => (
            <ExceptionItem
              key={exception.id}
              exception={exception}
              isSelected={selected.isSelected(exception)}
              onToggle={() => selected.toggle(exception)}
            />
          ))}
        </div>
      </ListFrame>
      {/* Outside the list, which is empty once its last exception is resolved. */}
      <Suspense>
        {asked ? (
          <BulkDialog
            {...asked}
            onClose={() => {
              setAsked(null);
              selected.clear();
            }}
            onBack={() => setAsked(null)}
          />
        ) : null}
      </Suspense>
    </div>
  );
}

function StateTabs({ address }: { readonly address: ListAddress }) {
  const texts = useTexts();
  const { environment } = useShell();
  const pollingInterval = usePollingInterval();
  const trpc = useTRPC();
  const { data: counts } = useQuery({
    ...trpc.exceptions.count.queryOptions({ environment, ...subjectInput(address.filters) }, BACKGROUND),
    refetchInterval: pollingInterval,
    placeholderData: keepPreviousData,
  });
  const chosen = shownState(address.filters);
  const countOf = (state: (typeof SHOWN_STATES)[number]) => {
    if (!counts || state === "all") return "";
    return counts[state] >= counts.cap ? `${texts.number(counts.cap)}+` : texts.number(counts[state]);
  };
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">{texts("exceptions.state")}</legend>
      {SHOWN_STATES.map((state) => (
        <button
          key={state}
          type="button"
          aria-pressed={state === chosen}
          onClick={() => address.setFilter("state", state === "open" ? "" : state)}
          className={classNames(
            "flex min-h-9 items-center gap-2 rounded-md px-3 text-sm transition-colors duration-150",
            state === chosen ? "bg-ink font-medium text-canvas" : "text-ink-soft hover:bg-sunken hover:text-ink",
          )}
        >
          {stateLabelsIn(texts)[state]}
          <span className="figures text-xs">{countOf(state)}</span>
        </button>
      ))}
    </fieldset>
  );
}

function SubjectFilters({ address }: { readonly address: ListAddress }) {
  const texts = useTexts();
  const kindId = useId();
  const { kind = "", object_id: objectId = "" } = address.filters;

  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        className="min-w-40 grow basis-0 sm:max-w-96"
        label={texts("exceptions.objectSearchHint")}
        placeholder={texts("exceptions.objectId")}
        value={objectId}
        onSearch={(text) => address.setFilter("object_id", text.trim())}
      />
      <label htmlFor={kindId} className="sr-only">
        {texts("exceptions.kind")}
      </label>
      <select
        id={kindId}
        value={kind}
        onChange={(event) => address.setFilter("kind", event.target.value)}
        className="min-h-10 rounded-md border border-line-strong bg-surface px-2.5 text-sm hover:border-ink"
      >
        <option value="">{texts("exceptions.allTypes")}</option>
        {EXCEPTION_KINDS.map((one) => (
          <option key={one} value={one}>
            {kindWordsIn(texts)[one].label}
          </option>
        ))}
      </select>
      <OwnerFilter owner={address.filters.owner ?? ""} onChoose={(owner) => address.setFilter("owner", owner)} />
    </div>
  );
}

interface OwnerFilterProps {
  /** `me`, `nobody` or an id; empty for everybody's. */
  readonly owner: string;
  readonly onChoose: (owner: string) => void;
}

function OwnerFilter({ owner, onChoose }: OwnerFilterProps) {
  const texts = useTexts();
  const { member } = useShell();
  const id = useId();
  const others = useOwners().filter(({ isMe }) => !isMe);
  const chosen = owner === member.id ? "me" : owner;
  const isKnown = ["", "me", "nobody"].includes(chosen) || others.some((one) => one.id === chosen);
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {texts("exceptions.owner")}
      </label>
      <select
        id={id}
        value={chosen}
        onChange={(event) => onChoose(event.target.value)}
        className="min-h-10 max-w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-sm hover:border-ink sm:max-w-64"
      >
        <option value="">{texts("exceptions.anyOwner")}</option>
        <option value="me">{texts("exceptions.mine")}</option>
        <option value="nobody">{texts("exceptions.unassigned")}</option>
        {others.map((one) => (
          <option key={one.id} value={one.id}>
            {ownerText(texts, one)}
          </option>
        ))}
        {isKnown ? null : <option value={chosen}>{chosen}</option>}
      </select>
    </>
  );
}
