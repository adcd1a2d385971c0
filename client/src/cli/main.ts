#!/usr/bin/env node
// The command `sluice`: connects the commands with this process.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { toJson } from "../money.js";
import { helpText, readCommandLine } from "./command-line.js";
import { describeFailure, EXIT, exitStatusOf } from "./failure.js";
import { printable, type Terminal } from "./terminal.js";

const line = process.argv.slice(2);
const isJson = line.includes("--json");
const interruption = new AbortController();

function interrupt(): void {
  if (interruption.signal.aborted) process.exit(EXIT.interrupted);
  interruption.abort(new Error("interrupted"));
}

function say(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

async function ask(question: string, isSecret = false): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isSecret) process.stderr.write(question);
  const output = isSecret ? silent : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  lines.once("SIGINT", interrupt);
  try {
    return await lines.question(isSecret ? "" : question, { signal: interruption.signal });
  } finally {
    lines.close();
    if (isSecret) process.stderr.write("\n");
  }
}

const terminal: Terminal = {
  env: process.env,
  isJson,
  signal: interruption.signal,
  isInteractive: process.stdin.isTTY && process.stderr.isTTY,
  print: (text, value) => process.stdout.write(`${isJson ? toJson(value) : printable(text)}\n`),
  say,
  ask,
  readInput: () => readText(process.stdin),
};

function version(): string {
  const own = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(own) as { version: string }).version;
}

async function run(): Promise<void> {
  const { command, given } = readCommandLine(line);
  if (given.has("version")) process.stdout.write(`${version()}\n`);
  else if (!command || given.has("help")) process.stdout.write(`${helpText(command)}\n`);
  else await command.run(terminal, given);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
// Whatever read the output has had enough, such as `head`.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? EXIT.ok : EXIT.failed));

try {
  await run();
} catch (error) {
  if (interruption.signal.aborted) process.exitCode = EXIT.interrupted;
  else {
    const failure = describeFailure(error);
    const { code, message, request_id } = failure;
    const request = request_id === null ? "" : `, ${request_id}`;
    if (isJson) process.stderr.write(`${JSON.stringify({ error: failure })}\n`);
    else say(`error: ${message} (${code}${request})`);
    if (code === "usage" && !isJson) say("sluice --help lists the commands and their options.");
    process.exitCode = exitStatusOf(failure);
  }
}
