"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { Upload } from "lucide-react";
import Link from "next/link";
import { LINE_VERDICTS } from "@/server/domain/settlement-line";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { ListFrame } from "../lists/list-frame";
import { pageState } from "../lists/page-state";
import { useListAddress } from "../lists/use-list-address";
import { useMay, useShell } from "../shell/shell-context";
import { LocalPeriod, LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { ButtonLink } from "../ui/button";
import { Cell, DataTable, Row } from "../ui/data-table";
import { PageHeader } from "../ui/page-header";
import { MONTH_FIELDS } from "./file-address";
import { MonthTotals } from "./month-totals";
import { countedVerdict } from "./verdicts";

type File = inferRouterOutputs<AppRouter>["reconciliation"]["files"]["data"][number];

const columnsIn = (texts: Texts) => [
  { label: texts("reconciliation.file") },
  { label: texts("reconciliation.provider") },
  { label: texts("reconciliation.period") },
  { label: texts("reconciliation.matched"), isNumeric: true },
  { label: texts("reconciliation.differences") },
  { label: texts("reconciliation.imported") },
];

export function FileList() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const mayUpload = useMay("upload_settlements");
  const address = useListAddress(MONTH_FIELDS);
  const list = useQuery({
    ...trpc.reconciliation.files.queryOptions({ environment, ...address.place }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader title={texts("reconciliation.reconciliation")} about={texts("reconciliation.reconciliationAbout")}>
        {mayUpload ? (
          <ButtonLink size="medium" tone="primary" href={`/${environment}/reconciliation/upload`}>
            <Upload className="size-4" aria-hidden="true" />
            {texts("reconciliation.uploadFile")}
          </ButtonLink>
        ) : null}
      </PageHeader>
      <MonthTotals address={address} />
      <h2 className="text-lg">{texts("reconciliation.files")}</h2>
      <ListFrame
        address={{ ...address, filters: {} }}
        noun="files"
        {...pageState(list)}
        emptyText={texts("reconciliation.noFiles")}
      >
        <DataTable caption={texts("reconciliation.filesTable")} columns={columnsIn(texts)}>
          {list.data?.data.map((file) => (
            <FileRow key={file.id} file={file} base={`/${environment}/reconciliation`} />
          ))}
        </DataTable>
      </ListFrame>
    </div>
  );
}

const DIFFERENCES = LINE_VERDICTS.filter((verdict) => verdict !== "matched");

function FileRow({ file, base }: { readonly file: File; readonly base: string }) {
  const texts = useTexts();
  const differences = DIFFERENCES.flatMap((verdict) => {
    const count = file.counts[verdict] ?? 0;
    return count === 0 ? [] : [countedVerdict(texts, count, verdict)];
  });
  return (
    <Row>
      <Cell isWide>
        <Link
          href={`${base}/${file.id}`}
          prefetch={false}
          className="inline-flex min-h-6 items-center rounded-sm font-semibold wrap-anywhere underline-offset-3 hover:underline"
        >
          {file.name}
        </Link>
      </Cell>
      <Cell>{file.provider}</Cell>
      <Cell isWide className="text-xs text-ink-soft">
        <LocalPeriod from={file.from} to={file.to} />
      </Cell>
      <Cell isNumeric className="figures">
        {texts.number(file.counts.matched ?? 0)}
        <span className="md:hidden"> {texts("reconciliation.matchedWord")}</span>
      </Cell>
      <Cell isWide>
        {differences.length === 0 ? (
          <span className="text-ink-soft">{texts("reconciliation.none")}</span>
        ) : (
          differences.join(", ")
        )}
      </Cell>
      <Cell isDetail className="text-xs text-ink-soft">
        <LocalTime iso={file.imported_at} />
        <span className="block">
          {file.is_uploaded ? texts("reconciliation.byAMember") : texts("reconciliation.byTheOperator")}
        </span>
      </Cell>
    </Row>
  );
}
