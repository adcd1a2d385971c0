// A statement as camt.053.001.08 (ISO 20022, bank to customer statement): its beginning, its entries, its end.
import { isIsoCurrency } from "@/server/domain/currencies";
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { validationError } from "@/server/domain/errors";
import { toDecimalString } from "@/server/domain/money";
import { movementWords } from "@/server/domain/movement-words";
import type { StatementSummary } from "@/server/domain/statement-summary";
import { say } from "@/server/domain/texts/say";
import { wordIn } from "@/server/domain/texts/translate";
import { type AccountLine, accountName, countOf, type StatementHead } from "./document";
import { cut, element, leaf, type Markup } from "./xml";

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08";
/** An amount has at most 18 digits. */
const LARGEST = 10n ** 18n;
const LONGEST_REFERENCE = 35;
const LONGEST_NAME = 140;
const LONGEST_NOTE = 140;

/** Throws validation_failed for what the format cannot hold: a token, which has no ISO code, or a sum over 18 digits. */
export function requireCamt(currency: string, { opening, closing, total }: StatementSummary): void {
  if (!isIsoCurrency(currency)) {
    throw validationError("currency", "is a token, and camt.053 has ISO 4217 currencies only; export CSV or PDF");
  }
  const sums = [opening, closing, total.credited, total.debited, total.credited - total.debited];
  if (sums.some((sum) => sum >= LARGEST || sum <= -LARGEST)) {
    throw validationError("currency", "has a sum of over 18 digits, the most that camt.053 holds; export CSV or PDF");
  }
}

/** Everything before the first entry. `fileId` names the file, in at most 35 characters. */
export function camtBeginning(head: StatementHead, fileId: string): string {
  const { from, to, createdAt, opening, closing, currency } = head;
  const parts = [
    leaf("Id", fileId),
    leaf("CreDtTm", createdAt.toISOString()),
    element("FrToDt", leaf("FrDtTm", from.toISOString()), leaf("ToDtTm", to.toISOString())),
    accountOf(head),
    balance("OPBD", opening, currency, from),
    balance("CLBD", closing, currency, to),
    totals(head),
  ];
  const header = element("GrpHdr", leaf("MsgId", fileId), leaf("CreDtTm", createdAt.toISOString()));
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}"><BkToCstmrStmt>`,
    `${header?.markup}\n<Stmt>${parts.map((part) => part?.markup ?? "").join("")}\n`,
  ].join("");
}

/** Everything after the last entry. */
export const CAMT_END = "</Stmt></BkToCstmrStmt></Document>\n";

/** One line of the statement. */
export function camtEntry(line: AccountLine, { currency, language }: StatementHead): string {
  const booked = leaf("DtTm", line.at.toISOString());
  const entry = element(
    "Ntry",
    leaf("NtryRef", line.sequence.toString()),
    ...signed("Amt", line.amount, currency),
    element("Sts", leaf("Cd", "BOOK")),
    element("BookgDt", booked),
    element("ValDt", booked),
    leaf("AcctSvcrRef", line.transactionId),
    element("BkTxCd", element("Prtry", leaf("Cd", cut(line.reason, LONGEST_REFERENCE)), leaf("Issr", "Sluice"))),
    detailsOf(line, language),
    leaf("AddtlNtryInf", movementWords(line.reason, language)),
  );
  return `${entry?.markup}\n`;
}

/** The account's own id: the merchant, the currency, live or test, and which balance of the wallet. */
function accountOf(head: StatementHead): Markup | null {
  const { merchant, currency, environment, account, language } = head;
  const marks = `${environment === "live" ? "L" : "T"}${account === "available" ? "A" : "H"}`;
  const id = `${merchant.id.replace(/^mer_/, "")}-${currency}-${marks}`;
  return element(
    "Acct",
    element("Id", element("Othr", leaf("Id", id))),
    leaf("Ccy", currency),
    leaf("Nm", `${accountName(head)}, ${wordIn(language, environment)}`),
    element(
      "Ownr",
      leaf("Nm", cut(merchant.name, LONGEST_NAME)),
      element("Id", element("OrgId", element("Othr", leaf("Id", merchant.id)))),
    ),
  );
}

function balance(code: "OPBD" | "CLBD", amount: bigint, currency: string, at: Date): Markup | null {
  return element(
    "Bal",
    element("Tp", element("CdOrPrtry", leaf("Cd", code))),
    ...signed("Amt", amount, currency),
    element("Dt", leaf("DtTm", at.toISOString())),
  );
}

/** An amount without its sign, and the sign as a mark. */
function signed(name: string, amount: bigint, currency: string): [Markup | null, Markup | null] {
  const text = toDecimalString(amount < 0n ? -amount : amount, currency);
  return [leaf(name, text, { Ccy: currency }), leaf("CdtDbtInd", amount < 0n ? "DBIT" : "CRDT")];
}

function totals(head: StatementHead): Markup | null {
  const { currency, total } = head;
  const { credited, creditCount, debited, debitCount } = total;
  const net = credited - debited;
  const sum = (amount: bigint) => leaf("Sum", toDecimalString(amount, currency));
  const count = (entries: number) => leaf("NbOfNtries", entries.toString());
  const netOf = element(
    "TtlNetNtry",
    leaf("Amt", toDecimalString(net < 0n ? -net : net, currency)),
    leaf("CdtDbtInd", net < 0n ? "DBIT" : "CRDT"),
  );
  return element(
    "TxsSummry",
    element("TtlNtries", count(countOf(head)), sum(credited + debited), netOf),
    element("TtlCdtNtries", count(creditCount), sum(credited)),
    element("TtlDbtNtries", count(debitCount), sum(debited)),
  );
}

/** Who was on the other side, and the references of everybody. What is too long for its field is in the note. */
function detailsOf({ intentId, amount, names }: AccountLine, language: DashboardLanguage): Markup | null {
  const { merchantReference, providerReference, counterparty } = names;
  const fitting = (reference: string | null) =>
    reference !== null && [...reference].length <= LONGEST_REFERENCE ? reference : null;
  const party = counterparty === null ? null : element("Pty", leaf("Nm", cut(counterparty, LONGEST_NAME)));
  return element(
    "NtryDtls",
    element(
      "TxDtls",
      element(
        "Refs",
        leaf("InstrId", intentId),
        leaf("EndToEndId", fitting(merchantReference)),
        leaf("TxId", fitting(providerReference)),
      ),
      element("RltdPties", party && element(amount < 0n ? "Cdtr" : "Dbtr", party)),
      element("RmtInf", ...notes(language, merchantReference, providerReference)),
    ),
  );
}

/** Notes of at most 140 characters each, which together hold the references in full. */
function notes(
  language: DashboardLanguage,
  merchantReference: string | null,
  providerReference: string | null,
): (Markup | null)[] {
  const text = [
    merchantReference && say(language, "Reference {reference}", { reference: merchantReference }),
    providerReference && say(language, "Provider reference {reference}", { reference: providerReference }),
  ].filter((part) => part);
  return text.flatMap((part) => {
    const characters = [...(part ?? "")];
    const chunks = Math.ceil(characters.length / LONGEST_NOTE);
    return Array.from({ length: chunks }, (_, n) =>
      leaf("Ustrd", characters.slice(n * LONGEST_NOTE, (n + 1) * LONGEST_NOTE).join("")),
    );
  });
}
