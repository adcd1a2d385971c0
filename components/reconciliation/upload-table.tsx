// The lines of an uploaded file, each with its verdict.
"use client";
import { useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { sumText } from "../money/sum-text";
import { addressOfId } from "../shell/navigation";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { Cell, DataTable, Row } from "../ui/data-table";
import { TextLink } from "../ui/text-link";
import type { Preview } from "./preview";
import { VerdictBadge } from "./verdicts";

const columnsIn = (texts: Texts) => [
  { label: texts("reconciliation.line"), isNumeric: true },
  { label: texts("reconciliation.verdict") },
  { label: texts("reconciliation.reference") },
  { label: texts("reconciliation.settled") },
  { label: texts("reconciliation.amount"), isNumeric: true },
];

/** All lines, or only those that a person must check. */
export function UploadTable({ lines }: { readonly lines: Preview["lines"] }) {
  const texts = useTexts();
  const [isFiltered, setFiltered] = useState(false);
  const differing = lines.filter(({ why }) => why !== null);
  const hasBoth = differing.length > 0 && differing.length < lines.length;
  return (
    <>
      {hasBoth ? (
        <label className="flex w-fit items-center gap-2 text-sm">
          <input type="checkbox" className="size-4.5" checked={isFiltered} onChange={() => setFiltered(!isFiltered)} />
          {texts("reconciliation.differencesOnly")}
        </label>
      ) : null}
      <DataTable caption={texts("reconciliation.linesOfTheFile")} columns={columnsIn(texts)}>
        {(isFiltered && hasBoth ? differing : lines).map((line) => (
          <LineRow key={line.row} line={line} />
        ))}
      </DataTable>
    </>
  );
}

function LineRow({ line }: { readonly line: Preview["lines"][number] }) {
  const texts = useTexts();
  const shell = useShell();
  const page = line.intent_id === null ? null : addressOfId(shell, line.intent_id);
  const known = line.is_repeat
    ? texts("reconciliation.repeatsALineAbove")
    : line.is_known
      ? texts("reconciliation.readBefore")
      : null;
  return (
    <Row>
      <Cell isNumeric className="figures text-ink-soft max-md:order-1 max-md:text-left">
        <span className="md:sr-only">{texts("reconciliation.line")} </span>
        {line.row}
      </Cell>
      <Cell isWide className="max-md:order-3">
        <VerdictBadge verdict={line.verdict} />
        {known === null ? null : <span className="block text-xs text-ink-soft">{known}</span>}
      </Cell>
      <Cell isWide className="text-xs wrap-anywhere max-md:order-4">
        {page === null ? (
          <span className="font-mono">{line.reference ?? line.line_id}</span>
        ) : (
          <TextLink href={page}>{line.reference}</TextLink>
        )}
        {line.why === null ? null : <span className="figures block text-bad">{sentence(line.why)}</span>}
      </Cell>
      <Cell isWide className="text-xs text-ink-soft max-md:order-5">
        <LocalTime iso={line.settled_at} />
      </Cell>
      <Cell isNumeric className="figures max-md:order-2">
        {sumText(texts, line.amount, line.currency)}
      </Cell>
    </Row>
  );
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
