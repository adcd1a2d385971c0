// The lines of a file, each with its verdict.
import { CircleCheck, CircleX, Copy, Plus } from "lucide-react";
import { formatAmount } from "../money/format-amount";
import { Badge } from "../ui/badge";
import { Cell, DataTable, Row } from "../ui/data-table";
import type { ShownLine } from "./batch-line";

const COLUMNS = [
  { label: "Line", isNumeric: true },
  { label: "Recipient" },
  { label: "Amount", isNumeric: true },
  { label: "Reference" },
  { label: "Verdict" },
] as const;

const BADGES = {
  create: { tone: "busy", Icon: Plus, label: "New" },
  created: { tone: "good", Icon: CircleCheck, label: "Created" },
  exists: { tone: "over", Icon: Copy, label: "Exists already" },
  rejected: { tone: "bad", Icon: CircleX, label: "Rejected" },
} as const;

export function BatchTable({ lines }: { readonly lines: readonly ShownLine[] }) {
  return (
    <DataTable caption="Lines of the file" columns={COLUMNS}>
      {lines.map((line) => (
        <LineRow key={line.line} line={line} />
      ))}
    </DataTable>
  );
}

function LineRow({ line }: { readonly line: ShownLine }) {
  const { amount, currency, message } = line;
  return (
    <Row>
      <Cell isNumeric className="figures text-ink-soft max-md:order-1 max-md:text-left">
        <span className="md:sr-only">Line </span>
        {line.line}
      </Cell>
      <Cell isWide className="wrap-anywhere max-md:order-3">
        <span className="block font-medium">{line.holder_name || "Unknown recipient"}</span>
        <span className="caption figures block">
          •••• {line.account_last4} · bank {line.bank_code}
        </span>
      </Cell>
      <Cell isNumeric className="figures whitespace-nowrap max-md:order-2">
        {amount === null ? "–" : `${formatAmount(amount, currency)} ${currency}`}
      </Cell>
      <Cell isWide className="wrap-anywhere max-md:order-4">
        {line.reference === "" ? "–" : line.reference}
      </Cell>
      <Cell isWide className="max-md:order-5">
        <Badge {...BADGES[line.state]} />
        {message === null ? null : <span className="block text-xs text-bad">{message}</span>}
      </Cell>
    </Row>
  );
}
