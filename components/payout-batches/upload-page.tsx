// Creates payouts from a file: preview, confirmation, results.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { BackTo } from "../shell/back-to";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button, ButtonLink } from "../ui/button";
import type { ChosenFile } from "../ui/file-field";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { linesOfCreated, linesOfPreview, type Preview, type ShownLine, sumsText } from "./batch-line";
import { BatchTable } from "./batch-table";
import { FilePanel } from "./file-panel";

export function UploadPage() {
  const texts = useTexts();
  const { environment } = useShell();
  const upload = useUpload();
  const { file, preview, created } = upload;
  const lines = created ? linesOfCreated(created) : preview ? linesOfPreview(preview) : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <BackTo path="payouts" label={texts("batches.payouts")} />
      <PageHeader title={texts("batches.uploadPayouts")} about={texts("batches.uploadAbout")}>
        <ButtonLink size="medium" href={`/${environment}/payouts/recipients`}>
          {texts("batches.recipients")}
        </ButtonLink>
      </PageHeader>
      <FilePanel onChoose={upload.choose} />
      {upload.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, upload.error).message}
        </Notice>
      ) : null}
      {file && lines ? (
        <section aria-label={file.name} className="grid min-w-0 gap-4">
          {created ? (
            <Results id={created.id} lines={lines} />
          ) : preview ? (
            <Confirmation file={file} preview={preview} lines={lines} upload={upload} />
          ) : null}
          <Lines key={`${file.name} ${created ? "created" : "preview"}`} lines={lines} />
        </section>
      ) : upload.isReading ? (
        <output className="text-sm text-ink-soft">{texts("batches.checkingName", { name: file?.name ?? "" })}</output>
      ) : null}
    </div>
  );
}

function useUpload() {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [file, setFile] = useState<ChosenFile | null>(null);
  const preview = useMutation(trpc.payoutBatches.preview.mutationOptions());
  const create = useMutation(
    trpc.payoutBatches.create.mutationOptions({
      onSettled: () => void queries.invalidateQueries({ queryKey: trpc.wallets.list.queryKey() }),
    }),
  );
  return {
    file,
    preview: preview.data,
    created: create.data,
    error: create.error ?? preview.error,
    isReading: preview.isPending,
    isCreating: create.isPending,
    choose(chosen: ChosenFile): void {
      setFile(chosen);
      create.reset();
      preview.reset();
      preview.mutate({ environment, text: chosen.text });
    },
    confirm(digest: string): void {
      if (file && !create.isPending) create.mutate({ environment, ...file, digest });
    },
  };
}

interface ConfirmationProps {
  readonly file: ChosenFile;
  readonly preview: Preview;
  readonly lines: readonly ShownLine[];
  readonly upload: ReturnType<typeof useUpload>;
}

function Confirmation({ file, preview, lines, upload }: ConfirmationProps) {
  const texts = useTexts();
  const added = lines.filter(({ state }) => state === "create");
  const { approvals_required: required } = preview;
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div className="grid gap-0.5" aria-live="polite">
        <h2 className="text-lg wrap-anywhere">{file.name}</h2>
        <p className="figures text-sm">
          {added.length === 0 ? (
            texts("batches.noLineValid")
          ) : (
            <strong>{texts("batches.payoutsAndSums", { count: added.length, sums: sumsText(texts, added) })}</strong>
          )}{" "}
          {othersText(texts, lines)}
        </p>
        {added.length > 0 && required > 0 ? (
          <p className="caption">
            {required === 1 ? texts("batches.oneApprovalNeeded") : texts("batches.approvalsNeeded", { required })}
          </p>
        ) : null}
      </div>
      {added.length === 0 ? null : (
        <Button
          size="medium"
          tone="primary"
          aria-disabled={upload.isCreating || undefined}
          onClick={() => upload.confirm(preview.digest)}
        >
          {upload.isCreating ? texts("batches.creating") : texts("batches.createPayouts", { count: added.length })}
        </Button>
      )}
    </div>
  );
}

/** "1 exists already, 2 rejected." */
function othersText(texts: Texts, lines: readonly ShownLine[]): string {
  const count = (state: ShownLine["state"]) => lines.filter((line) => line.state === state).length;
  const [existing, rejected] = [count("exists"), count("rejected")];
  const parts = [
    existing > 0 ? texts("batches.existAlready", { count: existing }) : "",
    rejected > 0 ? texts("batches.rejectedRejected", { rejected }) : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `${parts.join(", ")}.`;
}

function Results({ id, lines }: { readonly id: string; readonly lines: readonly ShownLine[] }) {
  const texts = useTexts();
  const { environment } = useShell();
  const created = lines.filter(({ state }) => state === "created");
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div className="grid gap-0.5" aria-live="polite">
        <h2 className="text-lg">{texts("batches.payoutsCreated", { count: created.length })}</h2>
        <p className="figures text-sm">
          <strong>{sumsText(texts, created)}</strong> {othersText(texts, lines)}
        </p>
      </div>
      {created.length === 0 ? null : (
        <ButtonLink size="medium" tone="primary" href={`/${environment}/payouts/batches/${id}`}>
          {texts("batches.viewBatch")}
        </ButtonLink>
      )}
    </div>
  );
}

/** All lines, or only those that were rejected. */
function Lines({ lines }: { readonly lines: readonly ShownLine[] }) {
  const texts = useTexts();
  const [isFiltered, setFiltered] = useState(false);
  const rejected = lines.filter(({ state }) => state === "rejected");
  const hasBoth = rejected.length > 0 && rejected.length < lines.length;
  return (
    <>
      {hasBoth ? (
        <label className="flex w-fit items-center gap-2 text-sm">
          <input type="checkbox" className="size-4.5" checked={isFiltered} onChange={() => setFiltered(!isFiltered)} />
          {texts("batches.rejectedLinesOnly")}
        </label>
      ) : null}
      <BatchTable lines={isFiltered && hasBoth ? rejected : lines} />
    </>
  );
}
