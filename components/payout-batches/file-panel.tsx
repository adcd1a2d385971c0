// Choosing a file of payouts, and what such a file looks like.
"use client";
import { Download } from "lucide-react";
import { BATCH_COLUMNS, LONGEST_FILE, MAXIMUM_LINES } from "@/server/domain/payout-batch";
import { useTexts } from "../i18n/use-texts";
import { ButtonLink } from "../ui/button";
import { type ChosenFile, FileField } from "../ui/file-field";
import { Panel } from "../ui/panel";

const EXAMPLE = `${BATCH_COLUMNS.join(",")}\n0001-123456789,001,BRL,1250.50,INV-2041,Padaria Estrela Ltda\n`;

export function FilePanel({ onChoose }: { readonly onChoose: (file: ChosenFile) => void }) {
  const texts = useTexts();
  return (
    <Panel className="grid gap-4">
      <FileField
        label={texts("batches.csvFile")}
        longest={LONGEST_FILE}
        tooLarge={texts("batches.fileTooLarge", { maximumLines: MAXIMUM_LINES })}
        onChoose={onChoose}
      />
      <div className="flex flex-wrap items-end justify-between gap-4">
        <p className="max-w-prose text-sm text-ink-soft">
          {texts.rich("batches.fileHint", {
            span: (words) => <span className="font-mono text-xs wrap-anywhere">{words}</span>,
            batchColumns: BATCH_COLUMNS.join(", "),
            maximumLines: MAXIMUM_LINES,
          })}
        </p>
        <ButtonLink
          size="medium"
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(EXAMPLE)}`}
          download="payouts.csv"
        >
          <Download className="size-4" aria-hidden="true" />
          {texts("batches.template")}
        </ButtonLink>
      </div>
    </Panel>
  );
}
