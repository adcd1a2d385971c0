"use client";
import { Dialog } from "../ui/dialog";
import { PAGES } from "./navigation";

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [["Ctrl", "K"], "Go to a page, or to the object of an id (⌘K on a Mac)"],
  [["/"], "Search by merchant reference"],
  [["j"], "Next row of a list; Enter opens it"],
  [["k"], "Row before"],
  [["Esc"], "Close what is open"],
  [["?"], "This sheet"],
  ...PAGES.map(({ chord, label }) => [["g", chord], label] as const),
];

export default function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="grid text-sm">
        {KEYS.map(([keys, meaning]) => (
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
