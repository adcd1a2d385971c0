// Pays salaries from a CSV file: node payroll.js RUN FILE [--wait SECONDS]. Safe to run again.
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Sluice, SluiceError } from "@sluice/client";
import { readRows } from "./rows.js";

const FINAL = new Set(["succeeded", "failed", "cancelled"]);
const POLL_MS = 2_000;
/** Exit statuses. */
const DONE = 0;
const SOME_FAILED = 1;
const NOTHING_DONE = 2;
const SOME_WAIT = 3;

const sluice = new Sluice({
  baseUrl: process.env.SLUICE_BASE_URL ?? "http://localhost:3000",
  publicKey: process.env.SLUICE_PUBLIC_KEY ?? "",
  secretKey: process.env.SLUICE_SECRET_KEY ?? "",
});

const money = (units) => `${units / 100n}.${String(units % 100n).padStart(2, "0")} BRL`;

/** Ends the program before anything was created. */
function refuse(reason) {
  console.error(reason);
  process.exit(NOTHING_DONE);
}

function readCommandLine() {
  const { values, positionals } = parseArgs({ options: { wait: { type: "string" } }, allowPositionals: true });
  const [run, file, ...rest] = positionals;
  const wait = values.wait ?? "600";
  if (!run || !file || rest.length > 0 || !/^[\w-]{1,40}$/.test(run) || !/^\d+$/.test(wait))
    throw new Error("usage: node payroll.js RUN FILE [--wait SECONDS], such as: node payroll.js 2026-11 salaries.csv");
  return { run, rows: readRows(file), waitMs: Number(wait) * 1_000 };
}

/** The reference names the payout forever: the same row of the same run is the same payout. */
const referenceOf = (run, { employee }) => `payroll-${run}-${employee}`;

async function findPayout(reference) {
  const { data } = await sluice.payoutIntents.list({ merchant_reference: reference, limit: 1 }).firstPage();
  return data[0] ?? null;
}

/** Throws if the balance does not cover what is not created yet. */
async function checkBalance(run, rows) {
  let needed = 0n;
  for (const row of rows) if (!(await findPayout(referenceOf(run, row)))) needed += row.amount;
  const wallet = (await sluice.wallets.list()).find(({ currency }) => currency === "BRL");
  const available = wallet?.available ?? 0n;
  if (available < needed) throw new Error(`the wallet has ${money(available)}, and ${money(needed)} are needed`);
}

/** Creates the payout of a row, or returns the one of an earlier run. */
async function pay(run, row) {
  const { amount, holder_name, bank_code, account_number } = row;
  const merchant_reference = referenceOf(run, row);
  return sluice.payoutIntents.create({
    amount,
    currency: "BRL",
    country: "BR",
    merchant_reference,
    recipient: { type: "bank_account", account_number, bank_code, holder_name },
  });
}

/** Returns a payout for each row, or why there is none. */
async function payAll(run, rows) {
  const results = [];
  for (const row of rows) {
    try {
      const payout = await pay(run, row);
      console.log(`${row.employee} ${money(row.amount)} ${payout.id} ${payout.status}`);
      results.push({ row, payout });
    } catch (error) {
      // Another failure says nothing about this row: running again continues.
      if (!(error instanceof SluiceError) || error.status === null || error.status >= 500) throw error;
      results.push({ row, rejected: `${error.code}: ${error.message}` });
    }
  }
  return results;
}

const isOpen = ({ payout }) => payout !== undefined && !FINAL.has(payout.status);

/** Reads the payouts until all have ended, or the time is over. */
async function waitForAll(results, waitMs) {
  const end = performance.now() + waitMs;
  const waiting = results.filter(isOpen).length;
  if (waiting > 0) console.log(`${waiting} payouts wait for approval or settlement`);
  while (results.some(isOpen)) {
    for (const result of results.filter(isOpen)) result.payout = await sluice.payoutIntents.get(result.payout.id);
    if (performance.now() >= end) return;
    if (results.some(isOpen)) await pause(POLL_MS);
  }
}

/** Prints what became of each row, and returns the exit status. */
function report(results) {
  console.log("\nresult:");
  for (const { row, payout, rejected } of results) {
    const outcome = rejected ?? [payout.status, payout.failure_code].filter(Boolean).join(" ");
    console.log(`line ${row.line} ${row.employee} ${money(row.amount)} ${payout?.id ?? "-"} ${outcome}`);
  }
  const paid = results.filter(({ payout }) => payout?.status === "succeeded");
  const sum = paid.reduce((total, { row }) => total + row.amount, 0n);
  console.log(`${paid.length} of ${results.length} paid, ${money(sum)}`);
  if (results.some(isOpen)) return SOME_WAIT;
  return paid.length === results.length ? DONE : SOME_FAILED;
}

let plan;
try {
  plan = readCommandLine();
  await checkBalance(plan.run, plan.rows);
} catch (error) {
  refuse(error.message);
}
const results = await payAll(plan.run, plan.rows);
await waitForAll(results, plan.waitMs);
process.exitCode = report(results);
