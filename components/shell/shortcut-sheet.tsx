"use client";
import { Dialog } from "../ui/dialog";
import { PAGES } from "./navigation";
import { useMay, useShell } from "./shell-context";

type Shortcut = readonly [keys: readonly string[], meaning: string];

const KEYS: readonly Shortcut[] = [
  [["Ctrl", "K"], "Search everything, or go to a page (⌘K on a Mac)"],
  [["/"], "Filter the list by its merchant reference"],
  [["j"], "Next row of a list; Enter opens it, Space shows it beside the list"],
  [["k"], "Previous row"],
  [["Esc"], "Close"],
  [["?"], "Keyboard shortcuts"],
];

const DECISION_KEYS: readonly Shortcut[] = [
  [["x"], "Select the payout"],
  [["a"], "Approve the payout, or those selected"],
  [["c"], "Cancel the payout, or those selected"],
];

/** Lists the pages that the member may open, as the search does. */
export default function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const { member } = useShell();
  const pages = PAGES.filter(({ permission }) => member.permissions.includes(permission));
  const decisions = useMay("decide_payouts") ? DECISION_KEYS : [];
  const shortcuts = [...KEYS, ...decisions, ...pages.map(({ chord, label }): Shortcut => [["g", chord], label])];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid text-sm">
        {shortcuts.map(([keys, meaning]) => (
          <div
            key={meaning}
            className="flex items-center justify-between gap-4 border-t border-line py-2 first:border-t-0"
          >
            <dt className="order-2 flex shrink-0 gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded-sm border border-line-strong bg-sunken px-1.5 font-mono text-xs">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
