// The place of the history on the endpoint's page, as high before it is loaded as afterwards.
import type { ReactNode } from "react";
import { useTexts } from "../i18n/use-texts";
import { Panel } from "../ui/panel";

interface HistoryFrameProps {
  readonly table?: ReactNode;
  /** None while it is loaded. */
  readonly children?: ReactNode;
}

export function HistoryFrame({ table, children }: HistoryFrameProps) {
  const texts = useTexts();
  return (
    <section aria-labelledby="history" aria-busy={children === undefined}>
      <Panel>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <h3 id="history" className="text-sm font-medium">
            {texts("webhooks.history")}
          </h3>
          <div className="grid min-h-99 grid-cols-[minmax(0,1fr)] content-start gap-3 sm:min-h-91">{children}</div>
          <div className="min-h-5">{table}</div>
        </div>
      </Panel>
    </section>
  );
}
