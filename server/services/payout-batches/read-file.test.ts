import { describe, expect, it } from "vitest";
import { readBatchFile } from "./read-file";

const HEADER = "account_number,bank_code,currency,amount,reference,holder_name";

describe("a file of payouts", () => {
  it("has its columns in any order, and further ones are ignored", () => {
    const text = "Reference,Amount,note,CURRENCY,bank_code,account_number\nINV-1, 10.50 ,x,BRL,001,0001-1\n";
    expect(readBatchFile(text)).toEqual([
      {
        line: 2,
        account_number: "0001-1",
        bank_code: "001",
        currency: "BRL",
        amount: "10.50",
        reference: "INV-1",
        holder_name: "",
      },
    ]);
  });

  it("may come from a spreadsheet: byte order mark, semicolons, quotes, CRLF and empty lines", () => {
    const text = `\uFEFF${HEADER.replaceAll(",", ";")}\r\n\r\n0001-1;001;BRL;"1,250.50";INV-1;"Souza; Ana"\r\n;;;;;\r\n2;001;BRL;1;INV-2;\r\n`;
    const lines = readBatchFile(text);
    expect(lines.map(({ line, amount, holder_name }) => [line, amount, holder_name])).toEqual([
      [3, "1,250.50", "Souza; Ana"],
      [5, "1", ""],
    ]);
  });

  it("with missing cells has empty ones", () => {
    expect(readBatchFile(`${HEADER}\n0001-1\n`)).toMatchObject([{ account_number: "0001-1", amount: "" }]);
  });

  it.each([
    ["", "file lacks the column account_number, bank_code, currency, amount, reference in its first line"],
    ["account_number,bank_code,currency,amount\n1,2,3,4", "file lacks the column reference in its first line"],
    [HEADER, "file has no lines below its header"],
    [`${HEADER}\n${"1,2,3,4,5,6\n".repeat(201)}`, "file must have at most 200 lines; split it"],
    ["x".repeat(48_001), "file must have at most 48000 characters; split it"],
    [`${HEADER}\n"1,2`, /^file is not CSV: /],
  ])("%j is rejected", (text, message) => {
    expect(() => readBatchFile(text)).toThrow(message);
  });
});
