import type { ReactNode } from "react";
import { Panel } from "../ui/panel";

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A heading and a panel with the settings below it. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-3">
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      <Panel className="grid gap-4">{children}</Panel>
    </section>
  );
}
