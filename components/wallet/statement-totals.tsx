// What the statement's period came to: where the balance began and ended, and what came in and went out, by kind.
"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Cell, DataTable, Row } from "../ui/data-table";
import { Notice } from "../ui/notice";
import type { StatementInput } from "./list-fields";
import { movementText } from "./movement-text";

type Summary = inferRouterOutputs<AppRouter>["wallets"]["statementSummary"];
type Total = Summary["total"];

interface StatementTotalsProps {
  readonly input: StatementInput;
  readonly currency: string;
}

/**
 * The sums of everything ever booked take long to read and nobody needs them, so they wait for a period. They are as new
 * as the lines: both are read again on request.
 */
export function StatementTotals({ input, currency }: StatementTotalsProps) {
  const texts = useTexts();
  if (input.created_after === undefined) {
    return <p className="text-sm text-ink-soft">{texts("wallet.choosePeriod")}</p>;
  }
  return <Totals input={input} currency={currency} />;
}

function Totals({ input, currency }: StatementTotalsProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data, error, isPlaceholderData } = useQuery({
    ...trpc.wallets.statementSummary.queryOptions({ environment, ...input }),
    placeholderData: keepPreviousData,
  });
  if (error) {
    return (
      <Notice tone="bad" role="alert">
        {failureOf(texts, error).message}
      </Notice>
    );
  }
  return (
    <div aria-busy={!data || isPlaceholderData} className={isPlaceholderData ? "opacity-60" : ""}>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-t-lg border border-line bg-line lg:grid-cols-4">
        <Figure label={texts("wallet.openingBalance")} amount={data?.opening} currency={currency} />
        <Figure
          label={texts("wallet.in")}
          amount={data?.total.credited}
          count={data?.total.credit_count}
          currency={currency}
        />
        <Figure
          label={texts("wallet.out")}
          amount={data?.total.debited}
          count={data?.total.debit_count}
          currency={currency}
        />
        <Figure label={texts("wallet.closingBalance")} amount={data?.closing} currency={currency} />
      </dl>
      <details className="rounded-b-lg border border-t-0 border-line bg-surface">
        <summary className="min-h-10 cursor-pointer px-4 py-2.5 text-sm text-ink-soft hover:text-ink">
          {texts("wallet.totals")}
        </summary>
        <div className="px-4 pb-4">{data ? <Kinds summary={data} currency={currency} /> : null}</div>
      </details>
    </div>
  );
}

interface FigureProps {
  readonly label: string;
  /** Minor units; undefined until it is read. */
  readonly amount: string | undefined;
  readonly count?: number | undefined;
  readonly currency: string;
}

/** As high before it is read as afterwards, so that nothing moves. */
function Figure({ label, amount, count, currency }: FigureProps) {
  const texts = useTexts();
  return (
    <div className="grid content-start gap-0.5 bg-surface px-4 py-3">
      <dt className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-soft">
        <span>{label}</span>
        {count === undefined ? null : <span>{texts("wallet.countedMovements", { count })}</span>}
      </dt>
      <dd className="figures min-h-7 text-lg font-semibold tracking-tight wrap-anywhere">
        {amount === undefined ? "\u00a0" : formatAmount(texts, amount, currency)}
      </dd>
    </div>
  );
}

const columnsIn = (texts: Texts) => [
  { label: texts("wallet.movement") },
  { label: texts("wallet.number"), isNumeric: true },
  { label: texts("wallet.in"), isNumeric: true },
  { label: texts("wallet.out"), isNumeric: true },
];

function Kinds({ summary, currency }: { readonly summary: Summary; readonly currency: string }) {
  const texts = useTexts();
  if (summary.kinds.length === 0) return <p className="text-sm text-ink-soft">{texts("wallet.noMovements")}</p>;
  return (
    <DataTable caption={texts("wallet.totalsTable", { currency })} columns={columnsIn(texts)}>
      {summary.kinds.map((kind) => (
        <KindRow key={kind.reason} name={movementText(texts, kind.reason)} total={kind} currency={currency} />
      ))}
      <KindRow name={texts("wallet.allMovements")} total={summary.total} currency={currency} />
    </DataTable>
  );
}

interface KindRowProps {
  readonly name: string;
  readonly total: Total;
  readonly currency: string;
}

function KindRow({ name, total, currency }: KindRowProps) {
  const texts = useTexts();
  const number = total.credit_count + total.debit_count;
  const sum = (amount: string) => (amount === "0" ? "–" : formatAmount(texts, amount, currency));
  return (
    <Row>
      <Cell className="font-medium">{name}</Cell>
      <Cell isNumeric className="figures">
        {texts.number(number)}
      </Cell>
      <Cell isNumeric className="figures max-md:text-left">
        <span className="text-xs text-ink-soft md:sr-only">{texts("wallet.in")} </span>
        {sum(total.credited)}
      </Cell>
      <Cell isNumeric className="figures">
        <span className="text-xs text-ink-soft md:sr-only">{texts("wallet.out")} </span>
        {sum(total.debited)}
      </Cell>
    </Row>
  );
}
