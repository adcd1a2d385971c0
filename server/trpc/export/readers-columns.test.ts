import { describe, expect, it } from "vitest";
import { COLUMNS } from "@/server/domain/texts/columns";
import type { AccountLine } from "@/server/services/statements/account-lines";
import {
  auditCells,
  balanceCells,
  paymentCells,
  payoutCells,
  settlementCells,
  statementCells,
  topupCells,
} from "./cells";
import { linesOf } from "./page-reader";
import { inReadersColumns } from "./readers-columns";

const LINE: AccountLine = {
  at: new Date("2026-11-26T10:00:00Z"),
  reason: "payout_settlement",
  names: { merchantReference: "inv-1", providerReference: null, counterparty: "=SUM(A1)" },
  amount: -5n,
  balance: 100n,
  intentId: "word_1",
  transactionId: "txn_1",
  sequence: 1n,
} as unknown as AccountLine;

const statement = linesOf([balanceCells("opening", 105n, LINE.at, "BRL"), statementCells(LINE, "BRL")]);

describe("a CSV file in the reader's language", () => {
  it("in English has the API's names and codes alone", () =>
    expect(inReadersColumns("en", statement)).toEqual(statement));

  it("has its own names of columns, and its words of movements; codes and sums stay", () => {
    const { columns, rows } = inReadersColumns("pt-BR", statement);
    expect(columns.slice(0, 3)).toEqual(["Lançado em", "Movimento", "Motivo"]);
    expect(columns).toContain("Valor (unidades mínimas)");
    expect(rows.map((row) => row.slice(1, 3))).toEqual([
      ["Saldo inicial", "opening_balance"],
      ["Repasse enviado", "payout_settlement"],
    ]);
    expect(rows[1]).toContain("'=SUM(A1)");
    expect(rows[1]?.slice(6, 8)).toEqual(["-5", "-0.05"]);
  });

  it("has words beside codes, in a column of their own", () => {
    const lines = linesOf([
      [
        ["status", "succeeded"],
        ["country", "BR"],
        ["failure_message", "Not approved within 7 days."],
      ],
    ]);
    expect(inReadersColumns("es", lines)).toEqual({
      columns: ["status", "Estado", "country", "País", "Mensaje de la falla"],
      rows: [["succeeded", "completado", "BR", "Brasil", "No se aprobó en 7 días."]],
    });
  });

  it("every column has a name", () => {
    const written = [payoutCells, paymentCells, topupCells, statementCells, settlementCells, auditCells, balanceCells];
    const used = written.flatMap((cells) =>
      [...cells.toString().matchAll(/\["([a-z_0-9]+)",/g)].map(([, name]) => name),
    );
    const known = COLUMNS.map(([name]) => name);
    expect(used.length).toBeGreaterThan(40);
    expect(used.filter((name) => name !== undefined && !known.includes(name))).toEqual([]);
  });
});
