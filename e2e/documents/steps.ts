// Reads a document as a list of steps: commands to run, answers to expect, and buttons to press. CONTRIBUTING.md
// explains how a document marks them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../support/service-process";

export type Step =
  /** Commands of a shell, which the reader types into a terminal. */
  | { readonly kind: "commands"; readonly terminal: string; readonly text: string }
  /** `json`: the whole output of the last commands; `text`: lines that the terminal prints. */
  | { readonly kind: "json" | "text"; readonly terminal: string; readonly text: string }
  /** A button of the customer's page that was printed last. */
  | { readonly kind: "press"; readonly button: string };

const KINDS = { sh: "commands", json: "json", text: "text" } as const;
/** A fenced block with its language and the words after it, or a button in the prose. */
const STEP = /^```(?<language>\w*)(?<words>[^\n]*)\n(?<text>.*?)^```$|[Pp]ress\s+\*\*(?<button>[^*]+)\*\*/gms;

/** Returns the steps of a text in Markdown. A block belongs to the terminal of the one before, unless it names one. */
export function parseSteps(markdown: string): Step[] {
  let terminal = "1";
  const steps: Step[] = [];
  for (const { groups = {} } of markdown.matchAll(STEP)) {
    const { language = "", words = "", text = "", button } = groups;
    if (button !== undefined) steps.push({ kind: "press", button });
    else if (language in KINDS) {
      terminal = /\bterminal=(\S+)/.exec(words)?.[1] ?? terminal;
      steps.push({ kind: KINDS[language as keyof typeof KINDS], terminal, text: text.trimEnd() });
    }
  }
  return steps;
}

/** Reads the steps of a document, or of one section of it. Throws without any. */
export function readSteps(path: string, heading?: string): Step[] {
  const whole = readFileSync(join(PROJECT_ROOT, path), "utf8");
  const section = heading && (whole.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`)) ?? "");
  const steps = parseSteps(section ?? whole);
  if (steps.length === 0) throw new Error(`${path} has no commands${heading ? ` under "${heading}"` : ""}`);
  return steps;
}

/** Returns the blocks of a language in a document, joined. */
export function codeOf(path: string, language: string): string {
  const blocks = readFileSync(join(PROJECT_ROOT, path), "utf8").matchAll(
    new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"),
  );
  return [...blocks].map(([, code]) => code).join("\n");
}
