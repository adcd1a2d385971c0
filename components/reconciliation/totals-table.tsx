// Both sides of reconciled lines by currency: what the provider states, what the books have, and what is between them.
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { signedText } from "../money/signed-amount";
import { Cell, DataTable, Row } from "../ui/data-table";

interface Total {
  readonly provider: string;
  readonly currency: string;
  readonly theirs: string;
  readonly ours: string;
  readonly difference: string;
  readonly fees: string;
  /** What is in the books and in no file; only of a period. */
  readonly unsettled?: { readonly count: number; readonly amount: string };
}

interface TotalsTableProps {
  readonly caption: string;
  readonly totals: readonly Total[];
}

export function TotalsTable({ caption, totals }: TotalsTableProps) {
  const texts = useTexts();
  const hasUnsettled = totals.some(({ unsettled }) => unsettled);
  const columns = [
    { label: texts("reconciliation.provider") },
    { label: texts("reconciliation.providersFile"), isNumeric: true },
    { label: texts("reconciliation.ourBooks"), isNumeric: true },
    { label: texts("reconciliation.difference"), isNumeric: true },
    { label: texts("reconciliation.fees"), isNumeric: true },
    ...(hasUnsettled ? [{ label: texts("reconciliation.notInAnyFile"), isNumeric: true }] : []),
  ];
  return (
    <DataTable caption={caption} columns={columns}>
      {totals.map((total) => (
        <Row key={`${total.provider} ${total.currency}`}>
          <Cell isWide>
            <span className="font-medium">{total.currency}</span>{" "}
            <span className="text-ink-soft">{total.provider}</span>
          </Cell>
          <Figure
            label={texts("reconciliation.providersFile")}
            text={formatAmount(texts, total.theirs, total.currency)}
          />
          <Figure label={texts("reconciliation.ourBooks")} text={formatAmount(texts, total.ours, total.currency)} />
          <Figure
            label={texts("reconciliation.difference")}
            text={signedText(texts, total.difference, total.currency)}
            look={total.difference === "0" ? "" : "font-semibold text-bad"}
          />
          <Figure label={texts("reconciliation.fees")} text={formatAmount(texts, total.fees, total.currency)} />
          {total.unsettled ? (
            <Figure
              label={texts("reconciliation.notInAnyFile")}
              text={
                total.unsettled.count === 0
                  ? texts("reconciliation.none")
                  : `${formatAmount(texts, total.unsettled.amount, total.currency)} (${texts.number(total.unsettled.count)})`
              }
            />
          ) : null}
        </Row>
      ))}
    </DataTable>
  );
}

interface FigureProps {
  readonly label: string;
  readonly text: string;
  readonly look?: string;
}

/** On a narrow screen, a line of its own that begins with the label. */
function Figure({ label, text, look = "" }: FigureProps) {
  return (
    <Cell isNumeric isWide className="figures max-md:flex max-md:justify-between">
      <span className="text-ink-soft md:hidden">{label}</span>
      <span className={look}>{text}</span>
    </Cell>
  );
}
