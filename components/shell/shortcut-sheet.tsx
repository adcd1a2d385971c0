"use client";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { Dialog } from "../ui/dialog";
import { PAGES } from "./navigation";
import { useMay, useShell } from "./shell-context";

type Shortcut = readonly [keys: readonly string[], meaning: string];

const keysIn = (texts: Texts): readonly Shortcut[] => [
  [["Ctrl", "K"], texts("shell.searchShortcut")],
  [["/"], texts("shell.filterShortcut")],
  [["j"], texts("shell.nextRow")],
  [["k"], texts("shell.previousRow")],
  [["Esc"], texts("shell.close")],
  [["?"], texts("shell.keyboardShortcuts")],
];

const decisionKeysIn = (texts: Texts): readonly Shortcut[] => [
  [["x"], texts("shell.selectThePayout")],
  [["a"], texts("shell.approveShortcut")],
  [["c"], texts("shell.cancelShortcut")],
];

/** Lists the pages that the member may open, as the search does. */
export default function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts();
  const { member } = useShell();
  const pages = PAGES.filter(({ permission }) => member.permissions.includes(permission));
  const decisions = useMay("decide_payouts") ? decisionKeysIn(texts) : [];
  const shortcuts = [
    ...keysIn(texts),
    ...decisions,
    ...pages.map(({ chord, labelKey }): Shortcut => [["g", chord], texts(labelKey)]),
  ];
  return (
    <Dialog title={texts("shell.keyboardShortcuts")} onClose={onClose}>
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
