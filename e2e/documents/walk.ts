// Carries out a document as a reader with a fresh clone would: types its commands into terminals, fills in ids from
// earlier answers, and compares every answer with the one that the document shows.
import { chmodSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { freePort } from "../support/service";
import { PROJECT_ROOT, serviceVariables } from "../support/service-process";
import { differenceFrom, missingLine } from "./shown";
import type { Step } from "./steps";
import { openTerminal, type Terminal } from "./terminal";

/** A limit for what hangs, not for what is slow. */
const SHOWN_WITHIN_MS = 300_000;
const NOT_CLONED = [".data", ".git", "test-results"];
/** The ports of the documents, which may be taken on this machine. */
const PORT = /(?<=localhost:|listen\()\d{4}\b/g;

/** Makes a folder that works like a clone with its packages and its build, and has no data. */
function makeClone(): string {
  const clone = mkdtempSync(join(tmpdir(), "sluice-clone-"));
  // The database may run as another user, who needs access through this folder to its own.
  chmodSync(clone, 0o711);
  for (const name of readdirSync(PROJECT_ROOT))
    if (!NOT_CLONED.includes(name)) symlinkSync(join(PROJECT_ROOT, name), join(clone, name));
  return clone;
}

/** Replaces each `prefix_…` by the newest id or secret with that prefix in the transcript. Throws without one. */
function fillIn(commands: string, transcript: string): string {
  return commands.replace(/\b([a-z]+)_…/g, (placeholder, prefix: string) => {
    const known = [...transcript.matchAll(new RegExp(`\\b${prefix}_[A-Za-z0-9+/=]+`, "g"))].at(-1)?.[0];
    if (!known) throw new Error(`no earlier answer has a value for ${placeholder} in:\n${commands}`);
    return known;
  });
}

/**
 * Carries out the steps, with free ports in place of the document's. `onShown` is called with each text that was shown as
 * the document says. Throws at the first command that fails or prints what the document does not show.
 */
export async function walk(steps: readonly Step[], page: Page, onShown: (text: string) => void = () => {}) {
  const ports = new Map<string, string>();
  for (const { text } of steps.flatMap((step) => ("text" in step ? [step] : [])))
    for (const [port] of text.matchAll(PORT)) if (!ports.has(port)) ports.set(port, String(await freePort()));
  const withPorts = (text: string) => text.replace(PORT, (port) => ports.get(port) ?? port);

  const clone = makeClone();
  const variables = serviceVariables({ PORT: ports.get("3000") ?? "0" });
  const terminals = new Map<string, Terminal>();
  let transcript = "";
  const terminalOf = (name: string) => {
    const terminal =
      terminals.get(name) ??
      openTerminal(clone, name, variables, (text) => {
        transcript += text;
      });
    terminals.set(name, terminal);
    return terminal;
  };

  async function press(button: string): Promise<void> {
    const address = [...transcript.matchAll(/"hosted_instructions_url":"([^"]+)"/g)].at(-1)?.[1];
    if (!address) throw new Error(`no page with a button ${button} was printed`);
    await page.goto(address);
    await page.getByRole("button", { name: button, exact: true }).click();
    await expect(page.getByRole("button", { name: button, exact: true })).toHaveCount(0);
  }

  async function expectLines(terminal: Terminal, shown: string): Promise<void> {
    const missing = () => {
      const line = missingLine(shown, terminal.output);
      if (line !== null && terminal.failure) throw new Error(terminal.failure);
      return line;
    };
    await expect.poll(missing, { timeout: SHOWN_WITHIN_MS }).toBeNull();
  }

  async function play(step: Step, next: Step | undefined, answer: string): Promise<string> {
    if (step.kind === "press") {
      await press(step.button);
      return "";
    }
    const terminal = terminalOf(step.terminal);
    if (step.kind === "commands") {
      const { finish } = terminal.run(fillIn(withPorts(step.text), transcript));
      // What goes on printing is not waited for.
      if (next?.kind === "text") return "";
      const printed = await finish;
      if (next?.kind !== "json" && printed !== "")
        throw new Error(`${step.text}\nprints what is not shown:\n${printed}`);
      return printed;
    }
    const shown = withPorts(step.text);
    if (step.kind === "text") await expectLines(terminal, shown);
    else expect(differenceFrom(JSON.parse(shown), JSON.parse(answer)), `${shown}\nis shown for:\n${answer}`).toBeNull();
    onShown(step.text);
    return "";
  }

  try {
    let answer = "";
    for (const [index, step] of steps.entries()) answer = await play(step, steps[index + 1], answer);
  } finally {
    for (const terminal of [...terminals.values()].reverse()) await terminal.close();
    rmSync(clone, { recursive: true, force: true });
  }
}
