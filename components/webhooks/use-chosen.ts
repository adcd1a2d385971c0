// The deliveries selected for sending again together. A selection outlives the page of the list.
"use client";
import { useState } from "react";
import { MOST_RESENT_AT_ONCE } from "@/server/domain/delivery";
import type { PresentedDelivery } from "@/server/trpc/present/delivery";

export interface Chosen {
  /** In the order of selection, in their newest state. */
  readonly deliveries: readonly PresentedDelivery[];
  has(delivery: PresentedDelivery): boolean;
  toggle(delivery: PresentedDelivery): void;
  setAll(deliveries: readonly PresentedDelivery[], isChosen: boolean): void;
  clear(): void;
}

/** `rows` are the deliveries of the page in view. */
export function useChosen(rows: readonly PresentedDelivery[]): Chosen {
  const [chosen, setChosen] = useState<readonly PresentedDelivery[]>([]);
  const current = chosen.map((one) => rows.find(({ id }) => id === one.id) ?? one);
  const has = (delivery: PresentedDelivery) => current.some(({ id }) => id === delivery.id);

  function setAll(deliveries: readonly PresentedDelivery[], isToChoose: boolean): void {
    const others = current.filter(({ id }) => !deliveries.some((one) => one.id === id));
    setChosen(isToChoose ? [...others, ...deliveries].slice(0, MOST_RESENT_AT_ONCE) : others);
  }

  return {
    deliveries: current,
    has,
    toggle: (delivery) => setAll([delivery], !has(delivery)),
    setAll,
    clear: () => setChosen([]),
  };
}
