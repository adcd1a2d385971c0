// Deliveries that unfold, with the selection of those to send again.
"use client";
import { lazy, Suspense, useState } from "react";
import { MOST_RESENT_AT_ONCE } from "@/server/domain/delivery";
import type { PresentedDelivery } from "@/server/trpc/present/delivery";
import { Button } from "../ui/button";
import { DeliveryItem } from "./delivery-item";
import { type Chosen, useChosen } from "./use-chosen";

const ResendDialog = lazy(() => import("./resend-dialog"));

interface DeliveryRowsProps {
  readonly deliveries: readonly PresentedDelivery[];
  /** The URL of an endpoint; null for a deleted one. */
  readonly urlOf: (endpointId: string) => string | null;
  /** What names a row: the event, or on the page of an event the endpoint. */
  readonly about: "event" | "endpoint";
}

export function DeliveryRows({ deliveries, urlOf, about }: DeliveryRowsProps) {
  const chosen = useChosen(deliveries);
  const [asked, setAsked] = useState<readonly PresentedDelivery[] | null>(null);
  return (
    <>
      <div className="overflow-hidden rounded-lg border border-line">
        <SelectionBar deliveries={deliveries} chosen={chosen} onAsk={() => setAsked(chosen.deliveries)} />
        {deliveries.map((delivery) => (
          <DeliveryItem
            key={delivery.id}
            delivery={delivery}
            url={urlOf(delivery.webhook_endpoint_id)}
            about={about}
            isChosen={chosen.has(delivery)}
            onToggle={() => chosen.toggle(delivery)}
          />
        ))}
      </div>
      <Suspense>
        {asked ? (
          <ResendDialog
            deliveries={asked}
            onClose={() => {
              setAsked(null);
              chosen.clear();
            }}
            onBack={() => setAsked(null)}
          />
        ) : null}
      </Suspense>
    </>
  );
}

interface SelectionBarProps {
  readonly deliveries: readonly PresentedDelivery[];
  readonly chosen: Chosen;
  readonly onAsk: () => void;
}

/** As high with a selection as without, so that the rows stay in place. */
function SelectionBar({ deliveries, chosen, onAsk }: SelectionBarProps) {
  const count = chosen.deliveries.length;
  const isAll = deliveries.length > 0 && deliveries.every(chosen.has);
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-2 text-sm">
      <label className="flex min-h-6 items-center gap-3">
        <input
          type="checkbox"
          aria-label="Select all on this page"
          checked={isAll}
          disabled={deliveries.length === 0}
          onChange={() => chosen.setAll(deliveries, !isAll)}
          className="size-6 accent-accent"
        />
        <output className={count > 0 ? "font-medium" : "text-ink-soft"}>
          {count > 0 ? `${count} selected` : `Select up to ${MOST_RESENT_AT_ONCE} to resend`}
        </output>
      </label>
      {count > 0 ? (
        <div className="ml-auto flex flex-wrap gap-2">
          <Button size="small" tone="quiet" onClick={chosen.clear}>
            Clear
          </Button>
          <Button size="small" tone="primary" onClick={onAsk}>
            Resend {count} selected…
          </Button>
        </div>
      ) : null}
    </div>
  );
}
