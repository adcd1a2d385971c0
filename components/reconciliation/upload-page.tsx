// Uploads a provider's settlement file: preview, confirmation, result.
"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useState } from "react";
import { LONGEST_UPLOAD, MOST_UPLOADED_LINES, SETTLEMENT_COLUMNS } from "@/server/domain/settlement-line";
import type { AppRouter } from "@/server/trpc/router";
import { useTexts } from "../i18n/use-texts";
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
  const texts = useTexts();
  const upload = useUpload();
  const { file, preview, stored, providers } = upload;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <BackTo path="reconciliation" label={texts("reconciliation.reconciliation")} />
      <PageHeader title={texts("reconciliation.uploadASettlementFile")} about={texts("reconciliation.uploadAbout")} />
      {providers?.length === 0 ? (
        <Notice tone="plain">{texts("reconciliation.noProviders")}</Notice>
      ) : (
        <FilePanel upload={upload} />
      )}
      {upload.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, upload.error).message}
        </Notice>
      ) : null}
      {file && preview ? (
        <section aria-label={file.name} className="grid min-w-0 gap-4">
          {stored ? <Result stored={stored} /> : <Confirmation file={file} preview={preview} upload={upload} />}
          <UploadTable lines={preview.lines} />
        </section>
      ) : upload.isReading ? (
        <output className="text-sm text-ink-soft">
          {texts("reconciliation.comparingName", { name: file?.name ?? "" })}
        </output>
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
  const texts = useTexts();
  const { providers = [], provider } = upload;
  return (
    <Panel className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
        <Select
          id="provider"
          label={texts("reconciliation.provider")}
          value={provider}
          options={providers.map((name) => ({ value: name, label: name }))}
          onChange={upload.chooseProvider}
        />
        <FileField
          label={texts("reconciliation.csvFile")}
          longest={LONGEST_UPLOAD}
          tooLarge={texts("reconciliation.fileTooLarge", { mostUploadedLines: MOST_UPLOADED_LINES })}
          onChoose={upload.choose}
        />
      </div>
      <p className="max-w-prose text-sm text-ink-soft">
        {texts.rich("reconciliation.fileHint", {
          span: (words) => <span className="font-mono text-xs wrap-anywhere">{words}</span>,
          settlementColumns: SETTLEMENT_COLUMNS.join(", "),
        })}
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
  const texts = useTexts();
  const added = preview.lines.filter((line) => !line.is_known);
  const differing = added.filter(({ why }) => why !== null).length + preview.unsettled;
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div className="grid gap-0.5" aria-live="polite">
        <h2 className="text-lg wrap-anywhere">{file.name}</h2>
        <p className="figures text-sm">
          {added.length === 0 ? (
            texts("reconciliation.nothingNew")
          ) : (
            <>
              <strong>{texts("reconciliation.newLines", { count: added.length })}</strong>{" "}
              {countedVerdicts(
                texts,
                added.map(({ verdict }) => verdict),
              )}
              .
            </>
          )}
        </p>
        <p className="caption">
          {texts.rich("reconciliation.covers", {
            localPeriod: () => <LocalPeriod from={preview.from} to={preview.to} />,
            again:
              preview.unsettled === 0 ? "" : texts("reconciliation.unsettledMovements", { count: preview.unsettled }),
          })}
          {added.length > 0 && differing > 0 ? texts("reconciliation.storingOpens", { count: differing }) : null}
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
            ? texts("reconciliation.storing")
            : texts("reconciliation.storeLines", { count: added.length })}
        </Button>
      )}
    </div>
  );
}

function Result({ stored }: { readonly stored: inferRouterOutputs<AppRouter>["reconciliation"]["upload"] }) {
  const texts = useTexts();
  const { environment } = useShell();
  const { id, exceptions_opened: opened, exceptions_resolved: resolved } = stored;
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div className="grid gap-0.5" aria-live="polite">
        <h2 className="text-lg">{texts("reconciliation.theFileIsStored")}</h2>
        <p className="text-sm">{texts("reconciliation.openedAndResolved", { opened, resolved })}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {opened === 0 ? null : (
          <ButtonLink size="medium" href={`/${environment}/exceptions`}>
            {texts("reconciliation.exceptions")}
          </ButtonLink>
        )}
        <ButtonLink size="medium" tone="primary" href={`/${environment}/reconciliation/${id}`}>
          {texts("reconciliation.viewFile")}
        </ButtonLink>
      </div>
    </div>
  );
}
