"use client";
import type { ReactNode } from "react";
import { orderOf } from "@/server/domain/list-order";
import { useTexts } from "../i18n/use-texts";
import { Cell, DataTable, Row } from "../ui/data-table";
import { PageHeader } from "../ui/page-header";
import type { AnyStatus } from "../ui/status-badge";
import { ColumnMenu } from "./column-menu";
import { ExportLink } from "./export-link";
import { FilterBar } from "./filter-bar";
import type { FilterField } from "./filters";
import { chosenColumns, type ListColumn } from "./list-column";
import { ListFrame, type ListNoun } from "./list-frame";
import { StatusTabs } from "./status-tabs";
import type { ListAddress } from "./use-list-address";
import type { ListedRow, WatchedList } from "./use-watched-list";
import { ViewMenu } from "./view-menu";

interface IntentListProps<Listed> {
  readonly title: string;
  readonly about: string;
  /** The list's name in addresses. */
  readonly kind: "payouts" | "payments" | "topups";
  /** "payouts", for sentences. */
  readonly noun: ListNoun;
  readonly emptyTitle?: string | undefined;
  readonly emptyText: string;
  readonly address: ListAddress;
  readonly list: WatchedList<Listed>;
  /** None if the list is restricted to one status. */
  readonly statuses: readonly AnyStatus[];
  readonly fields: readonly FilterField[];
  readonly columns: readonly ListColumn<Listed>[];
  readonly isSelected?: (row: Listed) => boolean;
  /** Shows more of a row beside the list. */
  readonly onPeek?: (row: Listed) => void;
  /** Beside the heading. */
  readonly actions?: ReactNode;
  /** Between the heading and the filters. */
  readonly lead?: ReactNode;
  /** Below the rows. */
  readonly children?: ReactNode;
}

/** Without statuses, the menu of views is in the filters' row, which then has room for it. */
const ALONE = "z-10 justify-self-end md:absolute md:top-0 md:right-0";

export function IntentList<Listed extends ListedRow>(props: IntentListProps<Listed>) {
  const texts = useTexts();
  const { title, noun, kind, address, list, statuses, fields, isSelected } = props;
  const columns = chosenColumns(props.columns, address.columns);
  const isNewestFirst = orderOf(address.order.sort) === "newest_first";
  const sort = {
    direction: isNewestFirst ? "descending" : "ascending",
    onSort: () => address.setSort(isNewestFirst ? "created_at" : "-created_at"),
  } as const;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader title={title} about={props.about}>
        <div className="flex flex-wrap gap-2">
          <ExportLink kind={kind} filters={address.filters} order={address.order} columns={address.columns} />
          {props.actions}
        </div>
      </PageHeader>
      {props.lead}
      <div className="relative grid grid-cols-[minmax(0,1fr)] gap-5">
        <div className={statuses.length === 0 ? ALONE : "flex min-w-0 items-center gap-2"}>
          {statuses.length === 0 ? null : (
            <StatusTabs
              statuses={statuses}
              chosen={address.filters.status ?? ""}
              counts={list.counts}
              onChoose={(status) => address.setFilter("status", status)}
            />
          )}
          <ViewMenu list={kind} address={address} />
        </div>
        <FilterBar list={kind} address={address} fields={fields}>
          <ColumnMenu columns={props.columns} address={address} />
        </FilterBar>
      </div>
      <ListFrame
        address={address}
        noun={noun}
        rows={list.rows?.length}
        error={list.error}
        isStale={list.isStale}
        nextCursor={list.nextCursor}
        newer={list.newer}
        onRead={list.readRows}
        emptyTitle={props.emptyTitle}
        emptyText={props.emptyText}
      >
        <DataTable
          caption={texts("lists.tableCaption", {
            title,
            order: isNewestFirst ? texts("lists.newest") : texts("lists.oldest"),
          })}
          columns={columns.map((column) => (column.name === "created_at" ? { ...column, sort } : column))}
        >
          {list.rows?.map((row) => (
            <Row
              key={row.id}
              isSelected={isSelected?.(row) ?? false}
              onPeek={props.onPeek && (() => props.onPeek?.(row))}
            >
              {columns.map(({ name, cell, ...look }) => (
                <Cell key={name} {...look}>
                  {cell(row)}
                </Cell>
              ))}
            </Row>
          ))}
        </DataTable>
      </ListFrame>
      {props.children}
    </div>
  );
}
