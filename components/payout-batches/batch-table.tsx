// The lines of a file, each with its verdict.

import { CircleCheck, CircleX, Copy, Plus } from "lucide-react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { Badge } from "../ui/badge";
import { Cell, DataTable, Row } from "../ui/data-table";
import type { ShownLine } from "./batch-line";

const columnsIn = (texts: Texts) =>
  [
    { label: texts("batches.line"), isNumeric: true },
    { label: texts("batches.recipient") },
    { label: texts("batches.amount"), isNumeric: true },
    { label: texts("batches.reference") },
    { label: texts("batches.verdict") },
  ] as const;

const badgesIn = (texts: Texts) =>
  ({
    create: { tone: "busy", Icon: Plus, label: texts("batches.new") },
    created: { tone: "good", Icon: CircleCheck, label: texts("batches.created") },
    exists: { tone: "over", Icon: Copy, label: texts("batches.existsAlready") },
    rejected: { tone: "bad", Icon: CircleX, label: texts("batches.rejected") },
  }) as const;

export function BatchTable({ lines }: { readonly lines: readonly ShownLine[] }) {
  const texts = useTexts();
  return (
    <DataTable caption={texts("batches.linesOfTheFile")} columns={columnsIn(texts)}>
      {lines.map((line) => (
        <LineRow key={line.line} line={line} />
      ))}
    </DataTable>
  );
}

function LineRow({ line }: { readonly line: ShownLine }) {
  const texts = useTexts();
  const { amount, currency, message } = line;
  return (
    <Row>
      <Cell isNumeric className="figures text-ink-soft max-md:order-1 max-md:text-left">
        <span className="md:sr-only">{texts("batches.line")} </span>
        {line.line}
      </Cell>
      <Cell isWide className="wrap-anywhere max-md:order-3">
        <span className="block font-medium">{line.holder_name || texts("batches.unknownRecipient")}</span>
        <span className="caption figures block">
          {texts("batches.accountAndBank", { accountLast4: line.account_last4, bankCode: line.bank_code })}
        </span>
      </Cell>
      <Cell isNumeric className="figures whitespace-nowrap max-md:order-2">
        {amount === null ? "–" : `${formatAmount(texts, amount, currency)} ${currency}`}
      </Cell>
      <Cell isWide className="wrap-anywhere max-md:order-4">
        {line.reference === "" ? "–" : line.reference}
      </Cell>
      <Cell isWide className="max-md:order-5">
        <Badge {...badgesIn(texts)[line.state]} />
        {message === null ? null : <span className="block text-xs text-bad">{message}</span>}
      </Cell>
    </Row>
  );
}
