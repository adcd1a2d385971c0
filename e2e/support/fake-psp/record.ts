// The fake provider's append-only record: JSON lines of what it accepted and executed, on disk before it answers.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import type { Creation, Kind } from "./wire";

export interface Line {
  readonly at: string;
  /** Only `executed` moves money: a payout sent, a payment collected, tokens received. */
  readonly event: "accepted" | "executed" | "declined" | "invalid_recipient" | "cancelled" | "expired";
  readonly kind: Kind;
  readonly reference: string;
  readonly merchant_id: string;
  /** The amount that this line moved or, for other events, concerns. */
  readonly amount: string;
  readonly currency: string;
  /** With `executed` top-ups: whether the funds can no longer be undone. */
  readonly confirmed?: boolean;
  /** With `accepted`: the creation, without its account number. */
  readonly creation?: Creation;
  /** With `accepted`: distinguishes an equal repeat from another request with the same reference. */
  readonly digest?: string;
}

/** The lines on disk; ignores a last line that a crash truncated. */
export function readRecord(path: string): Line[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((text) => JSON.parse(text) as Line);
}

/** Writes lines together and waits until they are on disk. */
export function openRecord(path: string): { append(lines: readonly Line[]): void; close(): void } {
  const file = openSync(path, "a", 0o600);
  return {
    append: (lines) => {
      writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      fsyncSync(file);
    },
    close: () => closeSync(file),
  };
}
