// Reads the rows of a payroll. The whole file is checked before anything is paid.
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";

/** BRL with two decimals. */
const AMOUNT = /^(0|[1-9]\d{0,8})\.(\d\d)$/;
const COLUMNS = ["employee", "holder_name", "bank_code", "account_number", "amount"];

/**
 * @typedef {object} Row
 * @property {number} line Of the file, from 1.
 * @property {string} employee
 * @property {string} holder_name
 * @property {string} bank_code
 * @property {string} account_number
 * @property {bigint} amount Minor units.
 */

/**
 * Returns the rows of a file. Throws with every fault of the file at once.
 * @param {string} path
 * @returns {Row[]}
 */
export function readRows(path) {
  const records = parse(readFileSync(path), {
    columns: true,
    bom: true,
    trim: true,
    skip_empty_lines: true,
    info: true,
  });
  const faults = [];
  const seen = new Set();
  const rows = records.map(({ record, info }) => {
    const fault = (text) => faults.push(`line ${info.lines}: ${text}`);
    for (const column of COLUMNS) if (!record[column]) fault(`${column} is missing`);
    const [, whole, cents] = AMOUNT.exec(record.amount ?? "") ?? [];
    if (whole === undefined) fault("amount must be digits with two decimals, such as 5200.00");
    else if (BigInt(whole + cents) === 0n) fault("amount is zero");
    if (record.employee && seen.has(record.employee)) fault(`${record.employee} is there twice`);
    seen.add(record.employee);
    return { ...record, line: info.lines, amount: whole === undefined ? 0n : BigInt(whole + cents) };
  });
  if (rows.length === 0) faults.push("the file has no rows");
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return rows;
}
