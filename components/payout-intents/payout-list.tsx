"use client";
import { useState } from "react";
import { orderOf } from "@/server/domain/list-order";
import { PAYOUT_STATUSES } from "@/server/domain/payout-transitions";
import { IntentList } from "../lists/intent-list";
import { useListAddress } from "../lists/use-list-address";
import { useWatchedList } from "../lists/use-watched-list";
import { useMay, useShell } from "../shell/shell-context";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { BulkBar } from "./bulk-bar";
import { payoutColumns, selectionColumn } from "./columns";
import { PAYOUT_FIELDS, payoutInput } from "./list-fields";
import type { Payout } from "./payout";
import { QueueSwitch } from "./queue-switch";

/** The queue has its own switch. */
const BAR_FIELDS = PAYOUT_FIELDS.filter(({ name }) => name !== "queue");

export function PayoutList() {
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(PAYOUT_FIELDS);
  const mayDecide = useMay("decide_payouts");
  const [decided, setDecided] = useState<readonly Payout[]>([]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const input = { environment, ...payoutInput(address.filters) };
  const list = useWatchedList({
    page: trpc.payoutIntents.list.queryOptions({ ...input, ...address.order, ...address.place }),
    order: orderOf(address.order.sort),
    updates: (shown) => trpc.payoutIntents.watch.queryOptions({ ...input, shown }, BACKGROUND),
    changed: decided,
  });
  const isSelectable = ({ status, obstacle }: Payout) => status === "requires_approval" && obstacle === null;
  const isSelected = (payout: Payout) => selected.has(payout.id) && isSelectable(payout);
  const selectable = (list.rows ?? []).filter(isSelectable);

  function toggle({ id }: Payout): void {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  }

  const columns = payoutColumns(`/${environment}/payouts`, (after) => setDecided((before) => [...before, after]));
  return (
    <IntentList
      title="Payouts"
      about="Money you send. Each waits here until somebody other than its maker approves it."
      kind="payouts"
      noun="payouts"
      emptyText={
        address.filters.queue
          ? "Nothing waits for you. New payouts that need your approval appear here."
          : "Create one over the API: POST /v1/payout_intents. It will wait here for its approval."
      }
      address={address}
      list={list}
      statuses={address.filters.queue ? [] : PAYOUT_STATUSES}
      fields={BAR_FIELDS}
      columns={mayDecide ? [selectionColumn({ isSelectable, isSelected, onToggle: toggle }), ...columns] : columns}
      isSelected={isSelected}
      lead={mayDecide ? <QueueSwitch address={address} /> : null}
    >
      {mayDecide ? (
        <BulkBar
          selectable={selectable}
          chosen={selectable.filter(isSelected)}
          onSelect={(payouts) => setSelected(new Set(payouts.map(({ id }) => id)))}
          onDone={list.readNews}
        />
      ) : null}
    </IntentList>
  );
}
