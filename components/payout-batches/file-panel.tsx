// Choosing a file of payouts, and what such a file looks like.
"use client";
import { Download } from "lucide-react";
import { BATCH_COLUMNS, LONGEST_FILE, MAXIMUM_LINES } from "@/server/domain/payout-batch";
import { ButtonLink } from "../ui/button";
import { type ChosenFile, FileField } from "../ui/file-field";
import { Panel } from "../ui/panel";

const EXAMPLE = `${BATCH_COLUMNS.join(",")}\n0001-123456789,001,BRL,1250.50,INV-2041,Padaria Estrela Ltda\n`;

export function FilePanel({ onChoose }: { readonly onChoose: (file: ChosenFile) => void }) {
  return (
    <Panel className="grid gap-4">
      <FileField
        label="CSV file"
        longest={LONGEST_FILE}
        tooLarge={`is too large: split it into files of at most ${MAXIMUM_LINES} lines.`}
        onChoose={onChoose}
      />
      <div className="flex flex-wrap items-end justify-between gap-4">
        <p className="max-w-prose text-sm text-ink-soft">
          The first line names the columns{" "}
          <span className="font-mono text-xs wrap-anywhere">{BATCH_COLUMNS.join(", ")}</span> (the last may be missing).
          Amounts have a point before the decimals. Every line pays a saved recipient, found by account, bank and
          currency. At most {MAXIMUM_LINES} lines.
        </p>
        <ButtonLink
          size="medium"
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(EXAMPLE)}`}
          download="payouts.csv"
        >
          <Download className="size-4" aria-hidden="true" />
          Template
        </ButtonLink>
      </div>
    </Panel>
  );
}
