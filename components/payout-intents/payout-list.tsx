"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { orderOf } from "@/server/domain/list-order";
import { PAYOUT_STATUSES } from "@/server/domain/payout-transitions";
import { useTexts } from "../i18n/use-texts";
import { IntentList } from "../lists/intent-list";
import { useListAddress } from "../lists/use-list-address";
import { useWatchedList } from "../lists/use-watched-list";
import { useMay, useShell } from "../shell/shell-context";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { allColumns, queueColumns } from "./columns";
import { CreateButton } from "./create-button";
import { PAYOUT_FIELDS, payoutInput } from "./list-fields";
import type { Payout } from "./payout";
import { QueueSwitch } from "./queue-switch";
import { selectionColumn } from "./selection-column";
import { useSelection } from "./use-selection";
import { waitingIds } from "./waiting-ids";
import { balanceAfter } from "./wallet-effect";

const BulkBar = lazy(() => import("./bulk-bar"));
const PayoutPanel = lazy(() => import("./payout-panel"));

/** The queue has its own switch. */
const BAR_FIELDS = PAYOUT_FIELDS.filter(({ isView }) => !isView);

interface PayoutListProps {
  /** Beside the heading. */
  readonly links: ReactNode;
}

export function PayoutList({ links }: PayoutListProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(PAYOUT_FIELDS);
  const isQueue = address.filters.queue !== undefined;
  const mayDecide = useMay("decide_payouts");
  const [decided, setDecided] = useState<readonly Payout[]>([]);
  const [peekedId, setPeekedId] = useState<string | null>(null);
  const input = { environment, ...payoutInput(address.filters) };
  const list = useWatchedList({
    page: trpc.payoutIntents.list.queryOptions({ ...input, ...address.order, ...address.place }),
    order: orderOf(address.order.sort),
    updates: (shown) => trpc.payoutIntents.watch.queryOptions({ ...input, shown }, BACKGROUND),
    changed: decided,
  });
  const rows = list.rows ?? [];
  const selection = useSelection(rows, decided);
  const warningsOf = useRowWarnings(rows);
  const wallets = useQuery({
    ...trpc.wallets.list.queryOptions({ environment }, BACKGROUND),
    enabled: useMay("read_wallets") && isQueue,
  });
  const onDecided = (...after: readonly Payout[]) => setDecided((before) => [...before, ...after]);
  const context = {
    base: `/${environment}/payouts`,
    onDecided,
    warningsOf,
    balanceAfter: (payout: Payout) => balanceAfter(texts, payout, wallets.data),
  };
  const columns = isQueue ? queueColumns(texts, context) : allColumns(texts, context);
  return (
    <IntentList
      title={texts("payouts.payouts")}
      about={texts("payouts.payoutsAbout")}
      kind="payouts"
      noun="payouts"
      emptyTitle={isQueue ? texts("payouts.queueIsEmpty") : undefined}
      emptyText={isQueue ? texts("payouts.emptyQueue") : texts("payouts.noPayouts")}
      address={address}
      list={list}
      statuses={isQueue ? [] : PAYOUT_STATUSES}
      fields={BAR_FIELDS}
      columns={mayDecide ? [selectionColumn(texts, selection), ...columns] : columns}
      isSelected={(payout) => payout.id === peekedId || selection.isSelected(payout)}
      onPeek={({ id }) => setPeekedId(id)}
      actions={
        <>
          {links}
          <CreateButton />
        </>
      }
      lead={mayDecide ? <QueueSwitch address={address} /> : null}
    >
      <Suspense>
        {mayDecide && selection.hasBegun ? (
          <BulkBar
            selection={selection}
            all={isQueue ? { input, count: list.counts?.requires_approval ?? 0 } : null}
            onDone={list.readNews}
          />
        ) : null}
      </Suspense>
      <Suspense>
        {rows.some(({ id }) => id === peekedId) ? (
          <PayoutPanel
            payouts={rows}
            id={peekedId}
            warningsOf={warningsOf}
            onDecided={onDecided}
            onMove={setPeekedId}
            onClose={() => setPeekedId(null)}
          />
        ) : null}
      </Suspense>
    </IntentList>
  );
}

/** The warnings about those of the rows that await approval; for members who decide on payouts. */
function useRowWarnings(rows: readonly Payout[]) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const ids = waitingIds(rows);
  const mayDecide = useMay("decide_payouts");
  const { data } = useQuery({
    ...trpc.payoutIntents.warnings.queryOptions({ environment, ids }),
    enabled: mayDecide && ids.length > 0,
    placeholderData: keepPreviousData,
  });
  return ({ id }: Pick<Payout, "id">) => data?.find((warnings) => warnings.id === id);
}
