// Certifies a provider with the sandbox keys of its user, and writes the report.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { validationError } from "@/server/domain/errors";
import { toDecimalString } from "@/server/domain/money";
import { env } from "@/server/platform/env";
import { certifyConfigured } from "@/server/services/certification/certify";
import type { Instruction, Recipient } from "@/server/services/certification/course";
import { reportOf, verdictOf } from "@/server/services/certification/report";
import { defineCommand, optional, required, UsageError } from "../command";
import { readDuration } from "../duration-option";

const PACKAGE = new URL("../../../package.json", import.meta.url);
const POLL_MS = 3_000;

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function instruct(instruction: Instruction): void {
  const { reference, sum } = instruction;
  const amount = `${toDecimalString(sum.amount, sum.currency)} ${sum.currency}`;
  if (instruction.kind === "settle") {
    say(`${instruction.currency}: let the sandbox settle the payout of ${amount}, reference ${reference}`);
    return;
  }
  say(`${instruction.method}: pay ${amount} now, reference ${reference}`);
  if (instruction.nextAction) say(JSON.stringify(instruction.nextAction, null, 2));
}

function readPort(text: string | null): number | null {
  if (text === null) return null;
  if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65_535) throw validationError("callbacks", "must be a port");
  return Number(text);
}

function readRecipient(accountNumber: string | null, bankCode: string | null, holderName: string | null) {
  if (accountNumber === null && bankCode === null && holderName === null) return null;
  if (accountNumber === null || bankCode === null || holderName === null) {
    throw new UsageError("--account, --bank and --holder belong together");
  }
  return { accountNumber, bankCode, holderName } satisfies Recipient;
}

export const certify = defineCommand({
  name: "providers certify",
  summary: "Run a full course with the sandbox keys of a configured provider, and write a report",
  cells: "none",
  options: {
    provider: required("NAME", "the entry of PROVIDERS, with test keys"),
    report: optional("FILE", "where to write the report; certification-NAME.md if omitted"),
    only: optional(
      "LIST",
      "payment methods, payout currencies and tokens of top-ups; all that the entry offers if omitted",
    ),
    callbacks: optional("PORT", "receive the provider's callbacks on this port of 127.0.0.1"),
    wait: optional("SPAN", "how long to wait for a payer, a payout's end and a callback; 10m if omitted"),
    expiry: optional("SPAN", "the window of the payment that nobody pays, or none; 2m if omitted"),
    payerEmail: optional("ADDRESS", "the payer's e-mail address; payer@example.com if omitted"),
    payerDocument: optional("NUMBER", "the payer's document, for providers that demand one"),
    account: optional("NUMBER", "an account number of the sandbox, for payouts"),
    bank: optional("CODE", "its bank"),
    holder: optional("NAME", "its holder"),
  },
  isOngoing: true,
  run: async (values, signal) => {
    const { provider, only, expiry, payerEmail, payerDocument, callbacks } = values;
    const certification = await certifyConfigured(provider, {
      only: only === null ? null : only.split(",").map((code) => code.trim()),
      callbackPort: readPort(callbacks),
      onListening: ({ port }) => say(`waiting for callbacks on 127.0.0.1:${port}`),
      waitMs: readDuration("wait", values.wait ?? "10m") * 1_000,
      expiryMs: expiry === "none" ? null : readDuration("expiry", expiry ?? "2m") * 1_000,
      pollMs: POLL_MS,
      recipient: readRecipient(values.account, values.bank, values.holder),
      payerEmail: payerEmail ?? "payer@example.com",
      payerDocument,
      baseUrl: env().baseUrl,
      signal,
      tell: instruct,
    });
    const { version } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string };
    const report = values.report ?? `certification-${provider}.md`;
    await writeFile(report, reportOf(certification, version));
    return { provider, verdict: verdictOf(certification.steps), report, steps: certification.steps };
  },
  succeeded: (document) => "verdict" in document && document.verdict !== "failed",
});
