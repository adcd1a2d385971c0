// Both sides of reconciled lines by currency: what the provider states, what the books have, and what is between them.
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
  const hasUnsettled = totals.some(({ unsettled }) => unsettled);
  const columns = [
    { label: "Provider" },
    { label: "Provider's file", isNumeric: true },
    { label: "Our books", isNumeric: true },
    { label: "Difference", isNumeric: true },
    { label: "Fees", isNumeric: true },
    ...(hasUnsettled ? [{ label: "Not in any file", isNumeric: true }] : []),
  ];
  return (
    <DataTable caption={caption} columns={columns}>
      {totals.map((total) => (
        <Row key={`${total.provider} ${total.currency}`}>
          <Cell isWide>
            <span className="font-medium">{total.currency}</span>{" "}
            <span className="text-ink-soft">{total.provider}</span>
          </Cell>
          <Figure label="Provider's file" text={formatAmount(total.theirs, total.currency)} />
          <Figure label="Our books" text={formatAmount(total.ours, total.currency)} />
          <Figure
            label="Difference"
            text={signedText(total.difference, total.currency)}
            look={total.difference === "0" ? "" : "font-semibold text-bad"}
          />
          <Figure label="Fees" text={formatAmount(total.fees, total.currency)} />
          {total.unsettled ? (
            <Figure
              label="Not in any file"
              text={
                total.unsettled.count === 0
                  ? "None"
                  : `${formatAmount(total.unsettled.amount, total.currency)} (${total.unsettled.count.toLocaleString("en")})`
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
