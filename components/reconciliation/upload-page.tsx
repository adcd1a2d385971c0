// Uploads a provider's settlement file: preview, confirmation, result.
"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useState } from "react";
import { LONGEST_UPLOAD, MOST_UPLOADED_LINES, SETTLEMENT_COLUMNS } from "@/server/domain/settlement-line";
import type { AppRouter } from "@/server/trpc/router";
import { BackTo } from "../shell/back-to";
import { useShell } from "../shell/shell-context";
import { LocalPeriod } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button, ButtonLink } from "../ui/button";
import { type ChosenFile, FileField } from "../ui/file-field";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { Panel } from "../ui/panel";
import { Select } from "../ui/select";
import type { Preview } from "./preview";
import { UploadTable } from "./upload-table";
import { countedVerdicts } from "./verdicts";

export function SettlementUpload() {
  const upload = useUpload();
  const { file, preview, stored, providers } = upload;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <BackTo path="reconciliation" label="Reconciliation" />
      <PageHeader
        title="Upload a settlement file"
        about="Compare a provider's file with your books. Nothing is stored before you confirm."
      />
      {providers?.length === 0 ? (
        <Notice tone="plain">No provider has moved money of yours yet, so there is nothing to compare.</Notice>
      ) : (
        <FilePanel upload={upload} />
      )}
      {upload.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(upload.error).message}
        </Notice>
      ) : null}
      {file && preview ? (
        <section aria-label={file.name} className="grid min-w-0 gap-4">
          {stored ? <Result stored={stored} /> : <Confirmation file={file} preview={preview} upload={upload} />}
          <UploadTable lines={preview.lines} />
        </section>
      ) : upload.isReading ? (
        <output className="text-sm text-ink-soft">Comparing {file?.name}…</output>
      ) : null}
    </div>
  );
}

type UploadState = ReturnType<typeof useUpload>;

function useUpload() {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data: providers } = useQuery(trpc.reconciliation.providers.queryOptions({ environment }));
  const [chosen, setChosen] = useState<string | null>(null);
  const [file, setFile] = useState<ChosenFile | null>(null);
  const preview = useMutation(trpc.reconciliation.preview.mutationOptions());
  const store = useMutation(
    trpc.reconciliation.upload.mutationOptions({
      onSettled: () => {
        void queries.invalidateQueries({ queryKey: trpc.reconciliation.files.queryKey() });
        void queries.invalidateQueries({ queryKey: trpc.exceptions.count.queryKey() });
      },
    }),
  );
  const provider = chosen ?? providers?.[0] ?? "";

  function compare(next: ChosenFile | null, from: string): void {
    store.reset();
    preview.reset();
    if (next) preview.mutate({ environment, provider: from, ...next });
  }

  return {
    providers,
    provider,
    file,
    preview: preview.data,
    stored: store.data,
    error: store.error ?? preview.error,
    isReading: preview.isPending,
    isStoring: store.isPending,
    chooseProvider(name: string): void {
      setChosen(name);
      compare(file, name);
    },
    choose(next: ChosenFile): void {
      setFile(next);
      compare(next, provider);
    },
    confirm(digest: string): void {
      if (file && !store.isPending) store.mutate({ environment, provider, ...file, digest });
    },
  };
}

function FilePanel({ upload }: { readonly upload: UploadState }) {
  const { providers = [], provider } = upload;
  return (
    <Panel className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
        <Select
          id="provider"
          label="Provider"
          value={provider}
          options={providers.map((name) => ({ value: name, label: name }))}
          onChange={upload.chooseProvider}
        />
        <FileField
          label="CSV file"
          longest={LONGEST_UPLOAD}
          tooLarge={`is too large: split it into files of at most ${MOST_UPLOADED_LINES} lines, or ask the operator to import it.`}
          onChoose={upload.choose}
        />
      </div>
      <p className="max-w-prose text-sm text-ink-soft">
        The first line names the columns{" "}
        <span className="font-mono text-xs wrap-anywhere">{SETTLEMENT_COLUMNS.join(", ")}</span>. Amounts are in minor
        units. Files may overlap: a line that was read before is recognized.
      </p>
    </Panel>
  );
}

interface ConfirmationProps {
  readonly file: ChosenFile;
  readonly preview: Preview;
  readonly upload: UploadState;
}

function Confirmation({ file, preview, upload }: ConfirmationProps) {
  const added = preview.lines.filter((line) => !line.is_known);
  const differing = added.filter(({ why }) => why !== null).length + preview.unsettled;
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div className="grid gap-0.5" aria-live="polite">
        <h2 className="text-lg wrap-anywhere">{file.name}</h2>
        <p className="figures text-sm">
          {added.length === 0 ? (
            "Every line of this file was read before, so there is nothing to store."
          ) : (
            <>
              <strong>
                {added.length.toLocaleString("en")} new {added.length === 1 ? "line" : "lines"}:
              </strong>{" "}
              {countedVerdicts(added.map(({ verdict }) => verdict))}.
            </>
          )}
        </p>
        <p className="caption">
          Covers <LocalPeriod from={preview.from} to={preview.to} />.{" "}
          {preview.unsettled === 0
            ? null
            : `${preview.unsettled.toLocaleString("en")} of your movements in this period ${preview.unsettled === 1 ? "is" : "are"} in no file. `}
          {added.length > 0 && differing > 0
            ? `Storing it opens up to ${differing.toLocaleString("en")} ${differing === 1 ? "exception" : "exceptions"}.`
            : null}
        </p>
      </div>
      {added.length === 0 ? null : (
        <Button
          size="medium"
          tone="primary"
          aria-disabled={upload.isStoring || undefined}
          onClick={() => upload.confirm(preview.digest)}
        >
          {upload.isStoring
            ? "Storing…"
            : `Store ${added.length.toLocaleString("en")} ${added.length === 1 ? "line" : "lines"}`}
        </Button>
      )}
    </div>
  );
}

function Result({ stored }: { readonly stored: inferRouterOutputs<AppRouter>["reconciliation"]["upload"] }) {
  const { environment } = useShell();
  const { id, exceptions_opened: opened, exceptions_resolved: resolved } = stored;
  const count = (number: number) => `${number.toLocaleString("en")} ${number === 1 ? "exception" : "exceptions"}`;
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div className="grid gap-0.5" aria-live="polite">
        <h2 className="text-lg">The file is stored</h2>
        <p className="text-sm">
          {count(opened)} opened, {count(resolved)} resolved.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {opened === 0 ? null : (
          <ButtonLink size="medium" href={`/${environment}/exceptions`}>
            Exceptions
          </ButtonLink>
        )}
        <ButtonLink size="medium" tone="primary" href={`/${environment}/reconciliation/${id}`}>
          View file
        </ButtonLink>
      </div>
    </div>
  );
}
