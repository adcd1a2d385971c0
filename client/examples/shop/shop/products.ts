export interface Product {
  readonly id: string;
  readonly name: string;
  /** Minor units: 4590 is R$ 45,90. */
  readonly price: number;
}

export const PRODUCTS: readonly Product[] = [
  { id: "coffee", name: "Coffee, 500 g", price: 4590 },
  { id: "mug", name: "Mug", price: 3950 },
];

/** Returns a price for people. */
export function priceText(minorUnits: number): string {
  return (minorUnits / 100).toLocaleString("pt-BR", { style: "currency", currency: "BRL" });
}
