import type { inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { SignedAmount } from "../money/signed-amount";
import { addressOfId } from "../shell/navigation";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { Cell, DataTable, Row } from "../ui/data-table";
import { movementText } from "./movement-text";

type Page = inferRouterOutputs<AppRouter>["wallets"]["statement"];
type Line = Page["data"][number];

const columnsIn = (texts: Texts) => [
  { label: texts("wallet.booked") },
  { label: texts("wallet.movement") },
  { label: texts("wallet.references") },
  { label: texts("wallet.amount"), isNumeric: true },
  { label: texts("wallet.balance"), isNumeric: true },
];

interface StatementTableProps {
  readonly page: Page;
  readonly currency: string;
}

export function StatementTable({ page, currency }: StatementTableProps) {
  const texts = useTexts();
  return (
    <DataTable caption={texts("wallet.movementsTable", { currency })} columns={columnsIn(texts)}>
      {page.data.map((line) => (
        <LineRow key={line.number} line={line} currency={currency} />
      ))}
      {page.opening_balance === null ? null : (
        <Row>
          <Cell isDetail>{null}</Cell>
          <Cell className="font-medium">{texts("wallet.openingBalance")}</Cell>
          <Cell isDetail>{null}</Cell>
          <Cell isDetail>{null}</Cell>
          <Cell isNumeric className="figures font-medium">
            {formatAmount(texts, page.opening_balance, currency)}
          </Cell>
        </Row>
      )}
    </DataTable>
  );
}

function LineRow({ line, currency }: { readonly line: Line; readonly currency: string }) {
  const texts = useTexts();
  return (
    <Row>
      <Cell isWide className="whitespace-nowrap max-md:text-xs max-md:text-ink-soft">
        <LocalTime iso={line.at} />
      </Cell>
      <Cell>
        <span className="font-medium">{movementText(texts, line.reason)}</span>
        {line.counterparty === null ? null : (
          <span className="block text-xs wrap-anywhere text-ink-soft">{line.counterparty}</span>
        )}
      </Cell>
      <Cell isWide className="text-xs max-md:order-last">
        <References line={line} />
      </Cell>
      <Cell isNumeric>
        <SignedAmount minorUnits={line.amount} currency={currency} />
      </Cell>
      <Cell isNumeric isWide className="figures max-md:text-xs max-md:text-ink-soft">
        <span className="md:sr-only">{texts("wallet.balance")} </span>
        {formatAmount(texts, line.balance, currency)}
      </Cell>
    </Row>
  );
}

/** The merchant's reference as a link to the intent, which has no other name where there is none; then the provider's. */
function References({ line }: { readonly line: Line }) {
  const texts = useTexts();
  const shell = useShell();
  const { intent_id: id, merchant_reference: own, provider_reference: theirs } = line;
  if (id === null) return null;
  const page = addressOfId(shell, id);
  const name = <span className={own === null ? "font-mono" : ""}>{own ?? id}</span>;
  return (
    <>
      {page === null ? (
        name
      ) : (
        <Link
          href={page}
          prefetch={false}
          title={id}
          className="inline-flex min-h-6 items-center rounded-sm wrap-anywhere text-accent underline underline-offset-3"
        >
          {name}
        </Link>
      )}
      {theirs === null ? null : (
        <span className="block wrap-anywhere text-ink-soft">
          {texts.rich("wallet.providerTheirs", { span: (words) => <span className="font-mono">{words}</span>, theirs })}
        </span>
      )}
    </>
  );
}
