"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { DELIVERY_STATES } from "@/server/domain/delivery";
import { useTexts } from "../i18n/use-texts";
import { ListFrame } from "../lists/list-frame";
import { pageState } from "../lists/page-state";
import { useListAddress } from "../lists/use-list-address";
import { useShell } from "../shell/shell-context";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { Button } from "../ui/button";
import { DeliveryRows } from "./delivery-rows";
import { deliveryWord } from "./state-badges";

const ASK_EVERY_MS = 5_000;
const FIELDS = [{ name: "state" }];

interface DeliveryListProps {
  readonly endpointId: string;
  readonly url: string;
}

export function DeliveryList({ endpointId, url }: DeliveryListProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(FIELDS);
  const state = DELIVERY_STATES.find((known) => known === address.filters.state);
  const list = useQuery({
    ...trpc.deliveries.list.queryOptions(
      { environment, endpoint_id: endpointId, ...(state && { state }), ...address.place },
      BACKGROUND,
    ),
    placeholderData: keepPreviousData,
    refetchInterval: ASK_EVERY_MS,
  });
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-4" aria-labelledby="deliveries">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="deliveries" className="text-lg">
          {texts("webhooks.deliveries")}
        </h2>
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">{texts("webhooks.stateOfDeliveries")}</legend>
          {[undefined, ...DELIVERY_STATES].map((choice) => (
            <Button
              key={choice ?? "all"}
              size="small"
              tone={choice === state ? "primary" : "secondary"}
              aria-pressed={choice === state}
              onClick={() => address.setFilter("state", choice ?? "")}
            >
              {choice === undefined ? texts("webhooks.all") : deliveryWord(texts, choice)}
            </Button>
          ))}
        </fieldset>
      </div>
      <ListFrame address={address} noun="deliveries" {...pageState(list)} emptyText={texts("webhooks.noDeliveries")}>
        <DeliveryRows deliveries={list.data?.data ?? []} urlOf={() => url} names="event" />
      </ListFrame>
    </section>
  );
}
