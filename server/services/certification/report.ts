// The report of a certification, in Markdown.
import type { Step, StepResult } from "./step";

export interface Certification {
  readonly provider: string;
  /** The adapter. */
  readonly type: string;
  /** The report hides most of its characters. */
  readonly account: string;
  readonly address: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly steps: readonly Step[];
}

/** `incomplete`: nothing failed, but not everything was possible. */
export type Verdict = "passed" | "incomplete" | "failed";

export function verdictOf(steps: readonly Step[]): Verdict {
  if (steps.length === 0 || steps.some(({ result }) => result === "failed")) return "failed";
  return steps.some(({ result }) => result === "not_possible") ? "incomplete" : "passed";
}

const WORDS: Readonly<Record<StepResult, string>> = {
  passed: "passed",
  failed: "**failed**",
  not_possible: "not possible",
};

const VERDICTS: Readonly<Record<Verdict, string>> = {
  passed: "Every step passed.",
  incomplete: "No step failed, but some were not possible. They are listed below.",
  failed: "**At least one step failed.** Do not use this configuration with real money.",
};

/** Hides all but the last four characters, and the prefix of ids that have one. */
export function maskedAccount(account: string): string {
  const prefix = /^[a-z]+_/.exec(account)?.[0] ?? "";
  return `${prefix}…${account.slice(Math.max(prefix.length, account.length - 4))}`;
}

/** A cell of a table: one line without marks of its own. */
function cell(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

/** Returns the report of a course by this version of Sluice. */
export function reportOf(certification: Certification, sluiceVersion: string): string {
  const { provider, type, account, address, startedAt, endedAt, steps } = certification;
  const hidden = maskedAccount(account);
  const shown = (text: string) =>
    cell(
      text
        .split(/\b/)
        .map((part) => (part === account ? hidden : part))
        .join(""),
    );
  const rows = steps.map(({ subject, name, result, text }) => [subject, name, WORDS[result], shown(text)]);
  const missing = steps.filter(({ result }) => result === "not_possible");
  const lines = [
    `# Certification of ${provider}`,
    "",
    VERDICTS[verdictOf(steps)],
    "",
    "| | |",
    "|---|---|",
    `| Adapter | \`${type}\` of Sluice ${sluiceVersion} |`,
    `| Account | ${hidden}, with test keys |`,
    `| Address | ${address} |`,
    `| Begun | ${startedAt.toISOString()} |`,
    `| Ended | ${endedAt.toISOString()} |`,
    "",
    "## Steps",
    "",
    "| Subject | Step | Result | What happened |",
    "|---|---|---|---|",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    "## What was not possible",
    "",
    ...(missing.length === 0 ? ["Nothing: every step ran."] : []),
    ...missing.map(({ subject, name, text }) => `- ${subject}, ${name}: ${shown(text)}`),
    "",
    "A sandbox is not the real service. Before real money flows, make one small payment and payout of each",
    "kind with live keys, and compare them with the provider's dashboard.",
    "",
  ];
  return lines.join("\n");
}
