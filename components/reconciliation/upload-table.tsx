// The lines of an uploaded file, each with its verdict.
"use client";
import { useState } from "react";
import { sumText } from "../money/sum-text";
import { addressOfId } from "../shell/navigation";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { Cell, DataTable, Row } from "../ui/data-table";
import { TextLink } from "../ui/text-link";
import type { Preview } from "./preview";
import { VerdictBadge } from "./verdicts";

const COLUMNS = [
  { label: "Line", isNumeric: true },
  { label: "Verdict" },
  { label: "Reference" },
  { label: "Settled" },
  { label: "Amount", isNumeric: true },
];

/** All lines, or only those that a person must check. */
export function UploadTable({ lines }: { readonly lines: Preview["lines"] }) {
  const [isFiltered, setFiltered] = useState(false);
  const differing = lines.filter(({ why }) => why !== null);
  const hasBoth = differing.length > 0 && differing.length < lines.length;
  return (
    <>
      {hasBoth ? (
        <label className="flex w-fit items-center gap-2 text-sm">
          <input type="checkbox" className="size-4.5" checked={isFiltered} onChange={() => setFiltered(!isFiltered)} />
          Differences only
        </label>
      ) : null}
      <DataTable caption="Lines of the file" columns={COLUMNS}>
        {(isFiltered && hasBoth ? differing : lines).map((line) => (
          <LineRow key={line.row} line={line} />
        ))}
      </DataTable>
    </>
  );
}

function LineRow({ line }: { readonly line: Preview["lines"][number] }) {
  const shell = useShell();
  const page = line.intent_id === null ? null : addressOfId(shell, line.intent_id);
  const known = line.is_repeat ? "Repeats a line above" : line.is_known ? "Read before" : null;
  return (
    <Row>
      <Cell isNumeric className="figures text-ink-soft max-md:order-1 max-md:text-left">
        <span className="md:sr-only">Line </span>
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
        {sumText(line.amount, line.currency)}
      </Cell>
    </Row>
  );
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
