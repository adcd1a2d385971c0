import type { inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import type { AppRouter } from "@/server/trpc/router";
import { formatAmount } from "../money/format-amount";
import { movementWords } from "../money/movement-words";
import { SignedAmount } from "../money/signed-amount";
import { addressOfId } from "../shell/navigation";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { Cell, DataTable, Row } from "../ui/data-table";

type Page = inferRouterOutputs<AppRouter>["wallets"]["statement"];
type Line = Page["data"][number];

const COLUMNS = [
  { label: "Booked" },
  { label: "Movement" },
  { label: "Object" },
  { label: "Amount", isNumeric: true },
  { label: "Balance", isNumeric: true },
];

interface StatementTableProps {
  readonly page: Page;
  readonly currency: string;
}

export function StatementTable({ page, currency }: StatementTableProps) {
  return (
    <DataTable caption={`Movements in ${currency}, newest first`} columns={COLUMNS}>
      {page.data.map((line) => (
        <LineRow key={line.number} line={line} currency={currency} />
      ))}
      {page.opening_balance === null ? null : (
        <Row>
          <Cell isDetail>{null}</Cell>
          <Cell className="font-medium">Opening balance</Cell>
          <Cell isDetail>{null}</Cell>
          <Cell isDetail>{null}</Cell>
          <Cell isNumeric className="figures font-medium">
            {formatAmount(page.opening_balance, currency)}
          </Cell>
        </Row>
      )}
    </DataTable>
  );
}

function LineRow({ line, currency }: { readonly line: Line; readonly currency: string }) {
  const { environment } = useShell();
  const id = line.intent_id;
  const page = id === null ? null : addressOfId(environment, id);
  return (
    <Row>
      <Cell isWide className="whitespace-nowrap max-md:text-xs max-md:text-ink-soft">
        <LocalTime iso={line.at} />
      </Cell>
      <Cell className="font-medium">{movementWords(line.reason)}</Cell>
      <Cell isWide className="max-md:order-last">
        {page === null ? (
          <span className="font-mono text-xs text-ink-soft">{id ?? ""}</span>
        ) : (
          <Link
            href={page}
            prefetch={false}
            className="rounded-sm font-mono text-xs wrap-anywhere text-accent underline underline-offset-3"
          >
            {id}
          </Link>
        )}
      </Cell>
      <Cell isNumeric>
        <SignedAmount minorUnits={line.amount} currency={currency} />
      </Cell>
      <Cell isNumeric isWide className="figures max-md:text-xs max-md:text-ink-soft">
        <span className="md:sr-only">Balance </span>
        {formatAmount(line.balance, currency)}
      </Cell>
    </Row>
  );
}
