// One settlement file: its lines by verdict, with links to the intent and its exceptions.
"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import { LINE_VERDICTS } from "@/server/domain/settlement-line";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { ExportLink } from "../lists/export-link";
import { ListFrame } from "../lists/list-frame";
import { pageState } from "../lists/page-state";
import { type ListAddress, useListAddress } from "../lists/use-list-address";
import { formatAmount } from "../money/format-amount";
import { signedText } from "../money/signed-amount";
import { sumText } from "../money/sum-text";
import { BackTo } from "../shell/back-to";
import { addressOfId } from "../shell/navigation";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { Button } from "../ui/button";
import { Cell, DataTable, Row } from "../ui/data-table";
import { PageHeader } from "../ui/page-header";
import { FILE_FIELDS, fileInput } from "./file-address";
import { TotalsTable } from "./totals-table";
import { VerdictBadge, verdictLooksIn } from "./verdicts";

type Page = inferRouterOutputs<AppRouter>["reconciliation"]["file"];
type Line = Page["data"][number];

const columnsIn = (texts: Texts) => [
  { label: texts("reconciliation.line") },
  { label: texts("reconciliation.verdict") },
  { label: texts("reconciliation.reference") },
  { label: texts("reconciliation.settled") },
  { label: texts("reconciliation.amount"), isNumeric: true },
  { label: texts("reconciliation.fee"), isNumeric: true },
];

export function FileDetail({ id }: { readonly id: string }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(FILE_FIELDS);
  const list = useQuery({
    ...trpc.reconciliation.file.queryOptions({ environment, ...fileInput(id, address.filters, address.cursor) }),
    placeholderData: keepPreviousData,
  });
  const file = list.data?.file;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <BackTo path="reconciliation" label={texts("reconciliation.reconciliation")} />
      <PageHeader
        title={file?.name ?? texts("reconciliation.settlementFile")}
        about={
          file
            ? texts("reconciliation.providerProviderOrigin", { provider: file.provider, origin: originOf(texts, file) })
            : ""
        }
      >
        <ExportLink kind="settlement-file" filters={{ ...address.filters, id }} />
      </PageHeader>
      {list.data && list.data.totals.length > 0 ? (
        <TotalsTable caption={texts("reconciliation.totalsTable")} totals={list.data.totals} />
      ) : null}
      {file ? <VerdictFilter address={address} counts={file.counts} /> : null}
      <ListFrame
        address={address}
        noun="lines"
        {...pageState(list)}
        emptyText={texts("reconciliation.fileWithoutYours")}
      >
        <DataTable caption={texts("reconciliation.linesByVerdict")} columns={columnsIn(texts)}>
          {list.data?.data.map((line) => (
            <LineRow key={line.row} line={line} />
          ))}
        </DataTable>
      </ListFrame>
    </div>
  );
}

function originOf(texts: Texts, { is_uploaded: isUploaded }: Page["file"]): string {
  return isUploaded ? texts("reconciliation.uploadedByAMember") : texts("reconciliation.importedByOperator");
}

interface VerdictFilterProps {
  readonly address: ListAddress;
  readonly counts: Page["file"]["counts"];
}

function VerdictFilter({ address, counts }: VerdictFilterProps) {
  const texts = useTexts();
  const { verdict: chosen = "" } = address.filters;
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">{texts("reconciliation.verdict")}</legend>
      {["" as const, ...LINE_VERDICTS].map((verdict) => {
        const count = verdict === "" ? "" : ` ${texts.number(counts[verdict] ?? 0)}`;
        return (
          <Button
            key={verdict}
            size="small"
            tone={verdict === chosen ? "primary" : "secondary"}
            aria-pressed={verdict === chosen}
            onClick={() => address.setFilter("verdict", verdict)}
          >
            {verdict === "" ? texts("reconciliation.all") : verdictLooksIn(texts)[verdict].label}
            {count}
          </Button>
        );
      })}
    </fieldset>
  );
}

/** Both sums and what is between them, where they are of one currency; else why the line needs a person. */
function Difference({ line: { why, ours, amount, currency } }: { readonly line: Line }) {
  const texts = useTexts();
  if (ours === null) return <>{why}.</>;
  const sums = texts("reconciliation.oursAndTheirs", {
    ours: sumText(texts, ours.amount, ours.currency),
    theirs: sumText(texts, amount, currency),
  });
  if (ours.currency !== currency) return <>{sums}.</>;
  const difference = (BigInt(amount) - BigInt(ours.amount)).toString();
  return (
    <>
      {texts("reconciliation.sumsDifferenceSignedCurrency", {
        sums,
        signed: signedText(texts, difference, currency),
        currency,
      })}
    </>
  );
}

function LineRow({ line }: { readonly line: Line }) {
  const texts = useTexts();
  const shell = useShell();
  const { environment } = shell;
  const page = line.intent_id === null ? null : addressOfId(shell, line.intent_id);
  return (
    <Row>
      <Cell className="font-mono text-xs wrap-anywhere">{line.line_id}</Cell>
      <Cell>
        <VerdictBadge verdict={line.verdict} />
      </Cell>
      <Cell isWide>
        {page === null ? (
          <span className="font-mono text-xs wrap-anywhere">{line.reference ?? ""}</span>
        ) : (
          <>
            <Link
              href={page}
              prefetch={false}
              title={line.reference ?? ""}
              className="rounded-sm wrap-anywhere text-accent underline underline-offset-3"
            >
              {line.merchant_reference ?? line.reference}
            </Link>
            {line.counterparty === null ? null : (
              <span className="block text-xs wrap-anywhere text-ink-soft">{line.counterparty}</span>
            )}
          </>
        )}
        {line.why === null ? null : (
          <span className="figures block text-xs text-ink-soft">
            <Difference line={line} />{" "}
            <Link
              href={`/${environment}/exceptions?state=all&object_id=${encodeURIComponent(line.intent_id ?? line.reference ?? line.line_id)}`}
              prefetch={false}
              className="text-accent underline underline-offset-3"
            >
              {texts("reconciliation.exceptions")}
            </Link>
          </span>
        )}
      </Cell>
      <Cell isWide className="text-xs text-ink-soft">
        <LocalTime iso={line.settled_at} />
      </Cell>
      <Cell isNumeric isWide className="figures font-medium">
        {formatAmount(texts, line.amount, line.currency)}{" "}
        <span className="font-normal text-ink-soft">{line.currency}</span>
      </Cell>
      <Cell isNumeric isDetail className="figures text-ink-soft">
        {formatAmount(texts, line.fee, line.currency)}
      </Cell>
    </Row>
  );
}
