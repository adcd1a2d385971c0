// The limits of payouts, and their dialog for owners and admins.
"use client";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { formatAmount } from "../money/format-amount";
import { useMay, useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Cell, DataTable, Row } from "../ui/data-table";
import { Notice } from "../ui/notice";
import type { LimitsView, PayoutLimits } from "./draft";

const LimitsDialog = lazy(() => import("./limits-dialog"));

const COLUMNS = [
  { label: "Applies to" },
  { label: "Currency" },
  { label: "Largest payout", isNumeric: true },
  { label: "UTC day", isNumeric: true },
  { label: "Recipient and UTC day", isNumeric: true },
];

export function LimitsSection() {
  const { environment } = useShell();
  const trpc = useTRPC();
  const mayDecide = useMay("decide_policies");
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery(trpc.payoutLimits.show.queryOptions({ environment }));
  const [currency] = data?.currencies ?? [];
  return (
    <section aria-labelledby="payout-limits" className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="payout-limits" className="text-lg">
          Payout limits
        </h2>
        {mayDecide && currency !== undefined ? (
          <Button size="medium" onClick={() => setOpen(true)}>
            Set limits…
          </Button>
        ) : null}
      </div>
      <p className="max-w-prose text-sm text-ink-soft">
        A payout above a limit is rejected when it is created, whoever would approve it.
      </p>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(error).message}
        </Notice>
      ) : null}
      {data ? <LimitsTable view={data} /> : null}
      <Suspense>
        {isOpen && data && currency !== undefined ? (
          <LimitsDialog view={data} currency={currency} onClose={() => setOpen(false)} />
        ) : null}
      </Suspense>
    </section>
  );
}

function LimitsTable({ view: { limits, keys } }: { readonly view: LimitsView }) {
  if (limits.length === 0) return <p className="text-sm">No limits are set.</p>;
  const nameOf = (keyId: string | null) =>
    keyId === null ? "All payouts" : `Key ${keys.find(({ id }) => id === keyId)?.name ?? keyId}`;
  return (
    <DataTable caption="Payout limits" columns={COLUMNS}>
      {limits.map((one) => (
        <LimitRow key={`${one.api_key_id ?? ""} ${one.currency}`} limits={one} name={nameOf(one.api_key_id)} />
      ))}
    </DataTable>
  );
}

function LimitRow({ limits, name }: { readonly limits: PayoutLimits; readonly name: string }) {
  const { currency } = limits;
  const shown = [
    ["Largest payout", limits.amount_at_most],
    ["UTC day", limits.day_at_most],
    ["Recipient and UTC day", limits.recipient_day_at_most],
  ] as const;
  return (
    <Row>
      <Cell className="font-medium wrap-anywhere">{name}</Cell>
      <Cell className="max-md:text-right">{currency}</Cell>
      {shown.map(([label, units]) => (
        <Cell key={label} isNumeric isWide className="figures max-md:flex max-md:justify-between">
          <span className="text-xs text-ink-soft md:hidden">{label}</span>
          {units === null ? <span className="text-ink-soft">none</span> : formatAmount(units, currency)}
        </Cell>
      ))}
    </Row>
  );
}
