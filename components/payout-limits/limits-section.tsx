// The limits of payouts, and their dialog for owners and admins.
"use client";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { useMay, useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Cell, DataTable, Row } from "../ui/data-table";
import { Notice } from "../ui/notice";
import type { LimitsView, PayoutLimits } from "./draft";

const LimitsDialog = lazy(() => import("./limits-dialog"));

const columnsIn = (texts: Texts) => [
  { label: texts("limits.appliesTo") },
  { label: texts("limits.currency") },
  { label: texts("limits.largestPayout"), isNumeric: true },
  { label: texts("limits.utcDay"), isNumeric: true },
  { label: texts("limits.recipientDay"), isNumeric: true },
];

export function LimitsSection() {
  const texts = useTexts();
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
          {texts("limits.payoutLimits")}
        </h2>
        {mayDecide && currency !== undefined ? (
          <Button size="medium" onClick={() => setOpen(true)}>
            {texts("limits.openSetLimits")}
          </Button>
        ) : null}
      </div>
      <p className="max-w-prose text-sm text-ink-soft">{texts("limits.limitsAbout")}</p>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
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
  const texts = useTexts();
  if (limits.length === 0) return <p className="text-sm">{texts("limits.noLimitsAreSet")}</p>;
  const nameOf = (keyId: string | null) =>
    keyId === null
      ? texts("limits.allPayouts")
      : texts("limits.keyName", { name: keys.find(({ id }) => id === keyId)?.name ?? keyId });
  return (
    <DataTable caption={texts("limits.payoutLimits")} columns={columnsIn(texts)}>
      {limits.map((one) => (
        <LimitRow key={`${one.api_key_id ?? ""} ${one.currency}`} limits={one} name={nameOf(one.api_key_id)} />
      ))}
    </DataTable>
  );
}

function LimitRow({ limits, name }: { readonly limits: PayoutLimits; readonly name: string }) {
  const texts = useTexts();
  const { currency } = limits;
  const shown = [
    [texts("limits.largestPayout"), limits.amount_at_most],
    [texts("limits.utcDay"), limits.day_at_most],
    [texts("limits.recipientDay"), limits.recipient_day_at_most],
  ] as const;
  return (
    <Row>
      <Cell className="font-medium wrap-anywhere">{name}</Cell>
      <Cell className="max-md:text-right">{currency}</Cell>
      {shown.map(([label, units]) => (
        <Cell key={label} isNumeric isWide className="figures max-md:flex max-md:justify-between">
          <span className="text-xs text-ink-soft md:hidden">{label}</span>
          {units === null ? (
            <span className="text-ink-soft">{texts("limits.none")}</span>
          ) : (
            formatAmount(texts, units, currency)
          )}
        </Cell>
      ))}
    </Row>
  );
}
