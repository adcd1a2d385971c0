// Deliveries that unfold, with the selection of those to send again.
"use client";
import { lazy, Suspense, useState } from "react";
import { MOST_RESENT_AT_ONCE } from "@/server/domain/delivery";
import type { PresentedDelivery } from "@/server/trpc/present/delivery";
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";
import { SelectionBar } from "../ui/selection-bar";
import { DeliveryItem } from "./delivery-item";
import { type Chosen, useChosen } from "./use-chosen";

const ResendDialog = lazy(() => import("./resend-dialog"));

interface DeliveryRowsProps {
  readonly deliveries: readonly PresentedDelivery[];
  /** The URL of an endpoint; null for a deleted one. */
  readonly urlOf: (endpointId: string) => string | null;
  /** What names a row: the event, or on the page of an event the endpoint. */
  /** What a row is named by: the event, or the endpoint. */
  readonly names: "event" | "endpoint";
}

export function DeliveryRows({ deliveries, urlOf, names }: DeliveryRowsProps) {
  const chosen = useChosen(deliveries);
  const [asked, setAsked] = useState<readonly PresentedDelivery[] | null>(null);
  return (
    <>
      <div className="overflow-hidden rounded-lg border border-line">
        <ResendBar deliveries={deliveries} chosen={chosen} onAsk={() => setAsked(chosen.deliveries)} />
        {deliveries.map((delivery) => (
          <DeliveryItem
            key={delivery.id}
            delivery={delivery}
            url={urlOf(delivery.webhook_endpoint_id)}
            names={names}
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

interface ResendBarProps {
  readonly deliveries: readonly PresentedDelivery[];
  readonly chosen: Chosen;
  readonly onAsk: () => void;
}

function ResendBar({ deliveries, chosen, onAsk }: ResendBarProps) {
  const texts = useTexts();
  const count = chosen.deliveries.length;
  const isAll = deliveries.length > 0 && deliveries.every(chosen.has);
  return (
    <SelectionBar
      count={count}
      isAll={isAll}
      isDisabled={deliveries.length === 0}
      hint={texts("webhooks.selectToResend", { mostResentAtOnce: MOST_RESENT_AT_ONCE })}
      onToggleAll={() => chosen.setAll(deliveries, !isAll)}
      onClear={chosen.clear}
    >
      <Button size="small" tone="primary" onClick={onAsk}>
        {texts("webhooks.resendCountSelected", { count })}
      </Button>
    </SelectionBar>
  );
}
